package io.mooring.spark.plan.aggregates;

import io.mooring.catalyst.ScalaLists;
import io.mooring.spark.plan.ExactAggregates;
import io.mooring.spark.plan.SingleTaskConf;
import io.mooring.stage.program.FinalStageChain;
import io.mooring.stage.program.JoinSides;
import io.mooring.stage.program.StageChain;
import io.mooring.stage.program.SubqueryResults;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.UnscaledValue;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.Average;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.physical.SinglePartition$;
import org.apache.spark.sql.catalyst.plans.physical.UnknownPartitioning;
import org.apache.spark.sql.execution.BaseLimitExec;
import org.apache.spark.sql.execution.CoalesceExec;
import org.apache.spark.sql.execution.CollectLimitExec;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.TakeOrderedAndProjectExec;
import org.apache.spark.sql.execution.UnionExec;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import org.apache.spark.sql.execution.exchange.BroadcastExchangeExec;
import org.apache.spark.sql.execution.exchange.ENSURE_REQUIREMENTS$;
import org.apache.spark.sql.execution.exchange.Exchange;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeLike;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;
import org.apache.spark.sql.execution.joins.BroadcastNestedLoopJoinExec;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.IntegralType;
import org.jspecify.annotations.Nullable;

/**
 * Takes the exchanges out of aggregates that one task shall compute, and those above that a single
 * partition does not need. Belongs to one thread.
 */
final class ExchangeRemoval {
  private final SingleTaskConf conf;
  private final SingleTaskCost cost;

  /**
   * Properties of the operators above a node.
   *
   * @param anyPartitioning whether they can have the node's rows in one partition
   * @param exchanged the operator whose rows the nearest exchange takes; null when there is none
   * @param few whether they take few of its rows, or put all in one order
   * @param mostRows that one task may pass to them
   */
  private record Above(
      boolean anyPartitioning, @Nullable LogicalPlan exchanged, boolean few, double mostRows) {
    Above ofPartitions() {
      return new Above(false, exchanged, few, mostRows);
    }
  }

  ExchangeRemoval(SingleTaskConf conf) {
    this.conf = conf;
    this.cost = new SingleTaskCost(conf.gpus(), conf.mostBytes());
  }

  /** The plan with aggregates of one task; itself when there is none. */
  SparkPlan applied(SparkPlan plan) {
    return applied(plan, new Above(true, null, false, SingleTaskCost.MOST_ROWS));
  }

  private SparkPlan applied(SparkPlan node, Above readers) {
    Above above = repartitions(node, readers) ? readers.ofPartitions() : readers;
    // One task in the place of another keeps what is above.
    boolean allowed =
        above.anyPartitioning() || node.outputPartitioning() == SinglePartition$.MODULE$;
    SparkPlan single = allowed ? single(node, above) : null;
    if (single != null) {
      return single;
    }
    List<SparkPlan> children = ScalaLists.list(node.children());
    Above here = above(node, above);
    List<SparkPlan> others = new ArrayList<>();
    boolean same = true;
    // A join above of two sides may count on the partitions of the exchange.
    boolean removes = children.size() == 1 && above.anyPartitioning();
    for (SparkPlan child : children) {
      SparkPlan other = applied(child, here);
      same &= other == child;
      others.add(other == child || !removes ? other : withoutExchange(other));
    }
    return same ? node : node.withNewChildren(ScalaLists.seq(others));
  }

  /** Whether the query repartitions a node's rows, and no exchange above does. */
  private static boolean repartitions(SparkPlan node, Above above) {
    return RepartitionedPlans.isRepartitioned(node) && logical(node) != above.exchanged();
  }

  private static @Nullable LogicalPlan exchanged(SparkPlan exchange) {
    return logical(exchange.children().head());
  }

  private static @Nullable LogicalPlan logical(SparkPlan node) {
    return node.logicalLink().getOrElse(() -> null);
  }

  /** The properties of the operators above a node's children. */
  private static Above above(SparkPlan node, Above above) {
    if (node instanceof BroadcastExchangeExec) {
      return new Above(true, exchanged(node), true, SingleTaskCost.MOST_ROWS);
    } else if (node instanceof Exchange) {
      // The operator above an exchange that goes too gets all rows from the one task.
      boolean goes = isRemovable(node) && above.anyPartitioning();
      double mostRows = goes ? above.mostRows() : SingleTaskCost.MOST_ROWS;
      return new Above(true, exchanged(node), above.few(), mostRows);
    } else if (node.children().size() > 1) {
      return new Above(
          above.anyPartitioning() && keepsPartitions(node),
          above.exchanged(),
          false,
          mostRows(node, above));
    }
    boolean orders = node instanceof SortExec sort && sort.global();
    boolean keeps = above.few() && !(node instanceof BaseAggregateExec);
    return new Above(
        above.anyPartitioning(),
        above.exchanged(),
        orders || limits(node) || keeps,
        mostRows(node, above));
  }

  /** The rows that one task may pass to a node. */
  private static double mostRows(SparkPlan node, Above above) {
    if (limits(node) || node instanceof BaseAggregateExec) {
      return SingleTaskCost.MOST_ROWS;
    }
    boolean passes =
        node instanceof SortExec
            || node instanceof UnionExec
            || (node instanceof ProjectExec project
                && ScalaLists.<NamedExpression>list(project.projectList()).stream()
                    .allMatch(Attribute.class::isInstance));
    return passes ? above.mostRows() : SingleTaskConf.MOST_ROWS_COMPUTED;
  }

  private static boolean limits(SparkPlan node) {
    return node instanceof TakeOrderedAndProjectExec
        || node instanceof CollectLimitExec
        || node instanceof BaseLimitExec;
  }

  /** Whether a node of several children asks for no partitioning of theirs. */
  private static boolean keepsPartitions(SparkPlan node) {
    return node instanceof BroadcastHashJoinExec
        || node instanceof BroadcastNestedLoopJoinExec
        || (node instanceof UnionExec && node.outputPartitioning() instanceof UnknownPartitioning);
  }

  /** The child of an exchange that its reader does not need any more. */
  private static SparkPlan withoutExchange(SparkPlan node) {
    return isRemovable(node)
            && node.children().head().outputPartitioning() == SinglePartition$.MODULE$
        ? node.children().head()
        : node;
  }

  private static boolean isRemovable(SparkPlan node) {
    return node instanceof ShuffleExchangeExec exchange
        && ((ShuffleExchangeLike) exchange).shuffleOrigin() == ENSURE_REQUIREMENTS$.MODULE$;
  }

  /** The aggregates whose top is a node, by one task; null when that is not possible, or slower. */
  private @Nullable SparkPlan single(SparkPlan node, Above above) {
    if (!FinalStageChain.canEnd(node) || isRemovable(node)) {
      return null;
    }
    SparkPlan gathered = gathered(node);
    FinalStageChain chain =
        gathered == null ? null : FinalStageChain.over(gathered, StageChain::givesGroups);
    return chain != null
            && chain.operators().stream().noneMatch(it -> repartitions(it, above))
            && isExact(chain)
            && chain.program(SubqueryResults.EXPECTED) != null
            && isStage(chain.groups())
            && (!conf.weighsCosts()
                || cost.isLess(chain, above.few() || limits(node), above.mostRows()))
        ? withBuildSides(chain)
        : null;
  }

  /**
   * A chain without exchanges in its build sides; null where a side of a full outer join keeps one.
   */
  private @Nullable SparkPlan withBuildSides(FinalStageChain chain) {
    Map<SparkPlan, SparkPlan> fullJoins = new IdentityHashMap<>();
    for (SparkPlan side : chain.fullJoinSides()) {
      // Its rows stay on the GPU.
      Above above = new Above(true, null, false, Double.MAX_VALUE);
      SparkPlan other = withoutExchange(applied(side, above));
      FinalStageChain groups = FinalStageChain.over(other, StageChain::givesGroups);
      if (groups == null || !groups.isGathered()) {
        return null;
      }
      fullJoins.put(side, other);
    }
    return chain.with(
        chain.groups(),
        build -> {
          SparkPlan ofFullJoin = fullJoins.get(build);
          return ofFullJoin == null ? ofBroadcast(build) : ofFullJoin;
        });
  }

  /** A build side of a join, perhaps with aggregates of one task of its own. */
  private SparkPlan ofBroadcast(SparkPlan build) {
    return applied(build, new Above(true, null, false, SingleTaskConf.MOST_ROWS_COMPUTED));
  }

  /** The operators over gathered groups, without exchanges; null when there are no groups. */
  private static @Nullable SparkPlan gathered(SparkPlan node) {
    boolean exchange = isRemovable(node);
    if (!exchange && !FinalStageChain.isOperator(node)) {
      return null;
    }
    SparkPlan child = JoinSides.streamed(node);
    if (exchange && StageChain.givesGroups(child)) {
      return coalesced(child);
    }
    SparkPlan below = gathered(child);
    if (exchange) {
      // A full outer join does not say that it has a single partition.
      return below == null || below.outputPartitioning() == SinglePartition$.MODULE$
          ? below
          : coalesced(below);
    }
    return below == null ? null : JoinSides.withStreamed(node, below);
  }

  private static SparkPlan coalesced(SparkPlan groups) {
    CoalesceExec one = new CoalesceExec(1, groups);
    // Adaptive execution would refuse a plan with a node that has no logical link.
    if (groups.logicalLink().isDefined()) {
      one.setLogicalLink(groups.logicalLink().get());
    }
    return one;
  }

  /** Whether the results are identical for any order of rows. */
  private static boolean isExact(FinalStageChain chain) {
    List<SparkPlan> all = new ArrayList<>(chain.operators());
    all.add(chain.groups());
    return all.stream()
        .filter(BaseAggregateExec.class::isInstance)
        .map(BaseAggregateExec.class::cast)
        .allMatch(ExchangeRemoval::isExact);
  }

  private static boolean isExact(BaseAggregateExec aggregate) {
    List<NamedExpression> keys = ScalaLists.list(aggregate.groupingExpressions());
    List<AggregateExpression> calls = ScalaLists.list(aggregate.aggregateExpressions());
    return keys.stream().allMatch(key -> ExactAggregates.isExact(((Expression) key).dataType()))
        && calls.stream()
            .allMatch(call -> ExactAggregates.isExact(call) || isAverageOfIntegers(call));
  }

  /**
   * Whether a function adds up short integers, or digits of short decimals, as doubles. The sum is
   * exact below 2^53, beyond which Spark's own depends on the order of groups too.
   */
  private static boolean isAverageOfIntegers(AggregateExpression call) {
    if (!(call.aggregateFunction() instanceof Average average)) {
      return false;
    }
    DataType type = average.child().dataType();
    return average.child() instanceof UnscaledValue
        || (type instanceof IntegralType && type.defaultSize() <= Integer.BYTES);
  }

  /** Whether a stage takes a partial aggregate and everything below it. */
  private static boolean isStage(SparkPlan groups) {
    StageChain chain = Objects.requireNonNull(StageChain.over(groups));
    StageChain.Supported supported = chain.supported(SubqueryResults.EXPECTED);
    return supported != null && supported.top() == groups;
  }
}
