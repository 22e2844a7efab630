package io.mooring.spark.plan.joins;

import io.mooring.catalyst.LogicalOperators;
import io.mooring.catalyst.ScalaLists;
import io.mooring.columnar.ScalarTypes;
import io.mooring.spark.plan.ExactAggregates;
import io.mooring.spark.plan.RepeatedOperators;
import io.mooring.spark.plan.joins.SparkJoinSelection.Side;
import io.mooring.stage.program.SupportedAggregates;
import io.mooring.stage.program.SupportedWindows;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.GlobalLimit;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LocalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Sort;
import org.apache.spark.sql.catalyst.plans.logical.Window;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;

/**
 * The joins of a query whose rows a GPU reduces to few, however many rows they produce. They lie
 * below an aggregate without keys, or below a sort with a limit, and stages support all operators
 * in between. The query is searched on the first call. Belongs to the planning of one query.
 */
final class ReducedJoins {
  // The same bound as for limits in stages.
  private static final int MOST_ROWS = 1 << 16;

  private final LogicalPlan query;
  private @Nullable Map<Join, List<Above>> found;

  /**
   * A join above another one.
   *
   * @param side on which the other one is
   */
  record Above(Join join, Side side) {}

  /**
   * @param query the whole query; a join alone has nothing above it that reduces its rows
   */
  ReducedJoins(LogicalPlan query) {
    this.query = query;
  }

  /** Whether few rows remain of those of a join. */
  boolean contains(Join join) {
    return found().containsKey(join);
  }

  /** The joins between one of them and what reduces its rows, the nearest first. */
  List<Above> above(Join join) {
    return found().getOrDefault(join, List.of());
  }

  private Map<Join, List<Above>> found() {
    if (found == null) {
      found = new IdentityHashMap<>();
      find(query, null, found);
    }
    return found;
  }

  /**
   * @param above the joins between a plan and what reduces its rows; null where nothing does
   */
  private static void find(
      LogicalPlan plan, @Nullable List<Above> above, Map<Join, List<Above>> joins) {
    LogicalPlan sorted = sorted(plan);
    if (sorted != null) {
      find(sorted, SupportedAggregates.supportsBelow(sorted) ? List.of() : null, joins);
    } else if (plan instanceof Aggregate aggregate) {
      find(aggregate.child(), aboveGroups(aggregate, above), joins);
    } else if (plan instanceof Window window) {
      find(window.child(), SupportedWindows.supports(window) ? above : null, joins);
    } else if (LogicalOperators.passesRows(plan)) {
      find(plan.children().head(), above, joins);
    } else if (plan instanceof Join join && above != null) {
      joins.put(join, above);
      find(join.left(), with(new Above(join, Side.LEFT), above), joins);
      find(join.right(), with(new Above(join, Side.RIGHT), above), joins);
    } else {
      ScalaLists.<LogicalPlan>list(plan.children()).forEach(child -> find(child, null, joins));
    }
  }

  private static @Nullable List<Above> aboveGroups(
      Aggregate aggregate, @Nullable List<Above> above) {
    if (RepeatedOperators.differs(aggregate).isPresent()
        || !SupportedAggregates.supportsAll(aggregate)) {
      return null;
    }
    return aggregate.groupingExpressions().isEmpty() ? List.of() : above;
  }

  private static List<Above> with(Above first, List<Above> others) {
    List<Above> all = new ArrayList<>(List.of(first));
    all.addAll(others);
    return all;
  }

  /** The rows of which a limit takes the first in an order by columns; null for other plans. */
  private static @Nullable LogicalPlan sorted(LogicalPlan plan) {
    return plan instanceof GlobalLimit all
            && all.child() instanceof LocalLimit each
            && belowProjection(each.child()) instanceof Sort sort
            && sort.global()
            && isFew(all.limitExpr())
            && ScalaLists.<SortOrder>list(sort.order()).stream()
                .allMatch(order -> isSupported(order.child(), sort.child()))
        ? sort.child()
        : null;
  }

  /**
   * The plan below a projection, which is above a sort by a column that the query does not select.
   */
  private static LogicalPlan belowProjection(LogicalPlan plan) {
    return plan instanceof Project project
            && ScalaLists.<NamedExpression>list(project.projectList()).stream()
                .allMatch(it -> SupportedAggregates.supports((Expression) it, project.child()))
        ? project.child()
        : plan;
  }

  private static boolean isFew(Expression limit) {
    return limit instanceof Literal literal
        && literal.value() instanceof Integer rows
        && rows <= MOST_ROWS
        // From there on, Spark sorts all rows.
        && rows < SQLConf.get().topKSortFallbackThreshold();
  }

  private static boolean isSupported(Expression key, LogicalPlan plan) {
    DataType type = key.dataType();
    boolean ordered = ExactAggregates.isExact(type) || ScalarTypes.isFloating(type);
    return ordered && SupportedAggregates.supports(key, plan);
  }
}
