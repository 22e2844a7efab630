package io.mooring.spark.plan.joins;

import io.mooring.catalyst.ScalaLists;
import io.mooring.catalyst.TreeNodes;
import io.mooring.spark.plan.ScanPattern;
import io.mooring.stage.program.RaisedErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.BinaryComparison;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Cast$;
import org.apache.spark.sql.catalyst.expressions.DateAdd;
import org.apache.spark.sql.catalyst.expressions.DateSub;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.IsNotNull;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Or;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.NumericType;
import org.jspecify.annotations.Nullable;

/**
 * Finds inputs of joins that leave few rows of one large input, and joins them with it before it is
 * joined with another large one. Belongs to one thread.
 */
final class SelectiveJoins {
  /**
   * The bytes of a hashed relation from which building it takes longer than building another one
   * first, which takes tens of milliseconds.
   */
  private static final double LARGE_BYTES = 256L << 20;

  private final List<Attribute> output;
  private final List<LogicalPlan> inputs;
  private final List<Expression> conditions;
  private final JoinCostEstimate costs;
  private final double largeBytes;

  SelectiveJoins(InnerJoins joins, ReplicatedJoinConf settings) {
    this.output = joins.output();
    this.inputs = new ArrayList<>(joins.inputs());
    this.conditions = new ArrayList<>(joins.conditions());
    this.costs = new JoinCostEstimate(settings.executors());
    this.largeBytes = settings.weighsCosts() ? LARGE_BYTES : 0;
  }

  /** The joins in another order; null where none is better. */
  @Nullable InnerJoins moved() {
    if (!conditions.stream().allMatch(SelectiveJoins::neverFails)
        || inputs.stream().anyMatch(RaisedErrors::mayRaise)) {
      // Another order evaluates conditions, and columns that they use, for other rows.
      return null;
    }
    int before = inputs.size();
    for (int at = 2; at < inputs.size(); ) {
      int target = target(at);
      if (target < 0) {
        at++;
      } else {
        LogicalPlan input = inputs.remove(at);
        inputs.set(target, InnerJoins.joined(inputs.get(target), input, conditions));
      }
    }
    return inputs.size() == before ? null : new InnerJoins(inputs, conditions, output);
  }

  /** The large input of which an input leaves few rows; -1 for none. */
  private int target(int at) {
    if (IntStream.range(0, at).filter(this::isLarge).count() < 2) {
      return -1;
    }
    return IntStream.range(0, at)
        .filter(i -> isLarge(i) && relationBytes(at) < relationBytes(i) && isPrunable(i))
        .filter(i -> isSelective(inputs.get(at), conditions(i, at)))
        .findFirst()
        .orElse(-1);
  }

  /**
   * Whether Spark can still prune an input's partitions after other inputs are joined with it. If
   * the join is in the sub-query of another pruning, Spark leaves the pruning filter above the
   * input, and executes such a filter only in a scan.
   */
  private boolean isPrunable(int input) {
    SQLConf conf = SQLConf.get();
    return !conf.dynamicPartitionPruningEnabled()
        || conf.dynamicPartitionPruningReuseBroadcastOnly()
        || isRelation(ScanPattern.find(inputs.get(input)));
  }

  private static boolean isRelation(@Nullable ScanPattern pattern) {
    return pattern != null && !(pattern.root() instanceof Aggregate);
  }

  /** The conditions on columns of two inputs alone. */
  private List<Expression> conditions(int a, int b) {
    AttributeSet first = inputs.get(a).outputSet();
    AttributeSet second = inputs.get(b).outputSet();
    return conditions.stream()
        .filter(it -> it.references().subsetOf(first.$plus$plus(second)))
        .filter(it -> it.references().exists(second::contains))
        .toList();
  }

  private boolean isLarge(int input) {
    return relationBytes(input) >= largeBytes;
  }

  private double relationBytes(int input) {
    return costs.relationBytes(inputs.get(input));
  }

  /**
   * Whether an input is a relation of which a filter, or a condition beside the keys, leaves few
   * rows.
   */
  private static boolean isSelective(LogicalPlan input, List<Expression> conditions) {
    if (!isRelation(ScanPattern.find(input))) {
      return false;
    }
    List<Expression> all = new ArrayList<>(conditions);
    boolean keys = all.removeIf(EqualTo.class::isInstance);
    TreeNodes.forEach(
        input,
        node -> {
          if (node instanceof Filter filter) {
            all.addAll(TreeNodes.conjuncts(filter.condition()));
          }
        });
    return keys && !all.stream().allMatch(IsNotNull.class::isInstance);
  }

  /** Whether an expression has a value for any row, also under ANSI mode. */
  private static boolean neverFails(Expression expression) {
    boolean safe =
        expression instanceof Attribute
            || expression instanceof Literal
            || expression instanceof BinaryComparison
            || expression instanceof And
            || expression instanceof Or
            || expression instanceof DateAdd
            || expression instanceof DateSub
            || (expression instanceof Cast cast
                // Dates of the far future overflow as timestamps.
                && cast.dataType() instanceof NumericType
                && Cast$.MODULE$.canUpCast(cast.child().dataType(), cast.dataType()));
    return safe
        && ScalaLists.<Expression>list(expression.children()).stream()
            .allMatch(SelectiveJoins::neverFails);
  }
}
