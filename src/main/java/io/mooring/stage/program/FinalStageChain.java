package io.mooring.stage.program;

import static io.mooring.catalyst.ScalaLists.list;

import io.mooring.expr.CatalystTranslator;
import io.mooring.expr.DeviceExpr;
import io.mooring.expr.UnsupportedExpressionException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.execution.BaseLimitExec;
import org.apache.spark.sql.execution.CoalesceExec;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.TakeOrderedAndProjectExec;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;
import org.apache.spark.sql.execution.joins.SortMergeJoinExec;
import org.apache.spark.sql.execution.window.WindowExec;
import org.apache.spark.sql.execution.window.WindowGroupLimitExec;
import org.jspecify.annotations.Nullable;

/**
 * A final aggregate and the operators above it. No exchange lies between it and the partial groups:
 * one task merges all of them, as in a build side that every executor reads itself.
 *
 * @param groups the node that makes the partial groups
 * @param operators bottom first
 */
public record FinalStageChain(SparkPlan groups, List<SparkPlan> operators) {
  /**
   * The chain whose top is a node; null when there is none.
   *
   * @param groups whether a node makes partial groups that a chain can merge
   */
  public static @Nullable FinalStageChain over(SparkPlan top, Predicate<SparkPlan> groups) {
    List<SparkPlan> operators = new ArrayList<>();
    for (SparkPlan node = top;
        isOperator(node) || node instanceof SortExec;
        node = JoinSides.streamed(node)) {
      operators.add(0, node);
      if (node instanceof BaseAggregateExec aggregate
          && mergesGroups(aggregate)
          && groups.test(gathered(aggregate))) {
        return new FinalStageChain(gathered(aggregate), operators);
      }
    }
    return null;
  }

  /** Whether the order of an operator's rows is its own, whatever that of its child's is. */
  private static boolean makesOrder(SparkPlan node) {
    return node instanceof BaseAggregateExec
        || node instanceof TakeOrderedAndProjectExec
        || node instanceof WindowExec
        || node instanceof WindowGroupLimitExec
        || JoinSides.isFullOuter(node);
  }

  private static boolean mergesGroups(BaseAggregateExec aggregate) {
    return FinalAggregateTranslator.isFinal(aggregate)
        || FinalAggregateTranslator.isMerge(aggregate);
  }

  /** Whether a node is of a kind that chains can contain. */
  public static boolean isOperator(SparkPlan node) {
    return node instanceof FilterExec
        || node instanceof ProjectExec
        || JoinSides.isJoin(node)
        || node instanceof BaseLimitExec
        || makesOrder(node)
        || gathers(node);
  }

  /**
   * Whether aggregates of one task can end at an operator. They cannot at a limit of window ranks,
   * or at a node that only orders or repartitions rows: these need an operator above.
   */
  public static boolean canEnd(SparkPlan node) {
    return !(node instanceof SortExec) && computes(node);
  }

  private static boolean computes(SparkPlan node) {
    return !gathers(node) && !(node instanceof WindowGroupLimitExec);
  }

  /** Whether a node only orders or repartitions the rows of its child. */
  public static boolean gathers(SparkPlan node) {
    return (node instanceof CoalesceExec coalesce && coalesce.numPartitions() == 1)
        || JoinSides.isLocalSort(node);
  }

  private static SparkPlan gathered(BaseAggregateExec aggregate) {
    SparkPlan node = JoinSides.streamed((SparkPlan) aggregate);
    while (gathers(node)) {
      node = JoinSides.streamed(node);
    }
    return node;
  }

  /** Whether the groups come as one partition, by a node right above them. */
  public boolean isGathered() {
    return aboveGroups() instanceof CoalesceExec;
  }

  /** The topmost operator. */
  public SparkPlan top() {
    return operators.get(operators.size() - 1);
  }

  /** Whether a stage can end at the topmost operator. */
  public boolean isComplete() {
    return computes(top() instanceof SortExec ? JoinSides.streamed(top()) : top());
  }

  /** Whether there are joins. */
  public boolean joins() {
    return operators.stream().anyMatch(JoinSides::isJoin);
  }

  /** The build sides of full outer joins, bottom first. */
  public List<SparkPlan> fullJoinSides() {
    return operators.stream().filter(JoinSides::isFullOuter).map(JoinSides::build).toList();
  }

  /** The parent of the groups' node. */
  public SparkPlan aboveGroups() {
    SparkPlan node = operators.get(0);
    while (JoinSides.streamed(node) != groups) {
      node = JoinSides.streamed(node);
    }
    return node;
  }

  /** The operators over another node instead of the groups. */
  public SparkPlan over(SparkPlan other) {
    return with(other, UnaryOperator.identity());
  }

  /**
   * The operators over other nodes.
   *
   * @param other the node instead of the groups
   * @param builds gives another node for each build side of a join, bottom first
   */
  public SparkPlan with(SparkPlan other, UnaryOperator<SparkPlan> builds) {
    return with(top(), other, builds);
  }

  private SparkPlan with(SparkPlan node, SparkPlan other, UnaryOperator<SparkPlan> builds) {
    if (node == groups) {
      return other;
    }
    SparkPlan streamed = with(JoinSides.streamed(node), other, builds);
    return JoinSides.isJoin(node)
        ? JoinSides.with(node, streamed, builds.apply(JoinSides.build(node)))
        : JoinSides.withStreamed(node, streamed);
  }

  /**
   * The operators with the sorts that the GPU needs to give the rows in the order of Spark's
   * operators. Spark leaves out the sort of an ORDER BY if an operator below has its order.
   *
   * @param needed whether the order of the results is needed, not only that of rows below a limit
   */
  public SparkPlan inOrder(boolean needed) {
    return OperatorOrder.sorted(top(), groups, needed);
  }

  /** The operators translated over merged groups; null when one is not supported. */
  public @Nullable StageProgram program(SubqueryResults subqueries) {
    try {
      return translated(subqueries);
    } catch (UnsupportedExpressionException e) {
      return null;
    }
  }

  /** The first operator that is not supported, and why; empty where all are. */
  public Optional<String> unsupported(SubqueryResults subqueries) {
    try {
      translated(subqueries);
      return Optional.empty();
    } catch (UnsupportedExpressionException e) {
      return Optional.of(Objects.requireNonNull(e.getMessage()));
    }
  }

  private StageProgram translated(SubqueryResults subqueries)
      throws UnsupportedExpressionException {
    List<RowOperator> translated = new ArrayList<>();
    List<Attribute> columns = list(groups.output());
    Set<SparkPlan> sorts = OperatorOrder.effectiveSorts(operators);
    int joins = 0;
    int fullJoins = 0;
    for (SparkPlan operator : operators) {
      List<Attribute> output = list(operator.output());
      try {
        if (operator instanceof BroadcastHashJoinExec join) {
          translated.add(new JoinTranslator(join, columns, subqueries).translate(joins++, output));
        } else if (operator instanceof SortMergeJoinExec join) {
          translated.add(new FullJoinTranslator(join, columns, subqueries).translate(fullJoins++));
        } else if (operator instanceof SortExec sort) {
          if (sorts.contains(sort)) {
            CatalystTranslator translator = new CatalystTranslator(columns);
            translated.add(new TopTranslator(translator, subqueries).translate(sort));
          }
        } else {
          translated.addAll(translated(operator, columns, subqueries));
        }
      } catch (UnsupportedExpressionException e) {
        throw new UnsupportedExpressionException(operator.nodeName() + ": " + e.getMessage());
      }
      columns = output;
    }
    if (LateColumns.mayRaise(top())) {
      throw new UnsupportedExpressionException(top().nodeName() + ": " + LateColumns.REASON);
    }
    return new StageProgram(translated, null, columns.stream().map(Attribute::dataType).toList());
  }

  private static List<RowOperator> translated(
      SparkPlan operator, List<Attribute> columns, SubqueryResults subqueries)
      throws UnsupportedExpressionException {
    CatalystTranslator translator = new CatalystTranslator(columns);
    if (operator instanceof FilterExec filter) {
      return List.of(
          new RowOperator.Filter(translator.translate(subqueries.in(filter.condition()))));
    } else if (operator instanceof ProjectExec project) {
      return List.of(projection(list(project.projectList()), translator, subqueries));
    } else if (operator instanceof TakeOrderedAndProjectExec limit) {
      return List.of(
          new TopTranslator(translator, subqueries).translate(limit),
          projection(list(limit.projectList()), translator, subqueries));
    } else if (operator instanceof BaseLimitExec limit) {
      return List.of(TopTranslator.limit(limit));
    } else if (operator instanceof WindowExec window) {
      return new WindowTranslator(columns, subqueries)
          .translate(
              list(window.windowExpression()),
              list(window.partitionSpec()),
              list(window.orderSpec()));
    } else if (!computes(operator)) {
      // The filter above a limit of ranks leaves out what the limit would.
      return List.of();
    }
    BaseAggregateExec aggregate = (BaseAggregateExec) operator;
    if (FinalAggregateTranslator.isFinal(aggregate)) {
      return new FinalAggregateTranslator(columns, subqueries).translate(aggregate);
    } else if (FinalAggregateTranslator.isMerge(aggregate)) {
      new FinalAggregateTranslator(columns, subqueries).checkMerge(aggregate);
      return List.of();
    }
    return List.of(group(aggregate, translator, subqueries));
  }

  private static RowOperator projection(
      List<NamedExpression> columns, CatalystTranslator translator, SubqueryResults subqueries)
      throws UnsupportedExpressionException {
    List<DeviceExpr> values = new ArrayList<>();
    for (NamedExpression named : columns) {
      values.add(translator.translate(subqueries.in((Expression) named)));
    }
    return new RowOperator.Project(values);
  }

  private static RowOperator group(
      BaseAggregateExec aggregate, CatalystTranslator translator, SubqueryResults subqueries)
      throws UnsupportedExpressionException {
    if (!PartialAggregateTranslator.groups(aggregate)) {
      throw new UnsupportedExpressionException("an aggregate of an aggregate");
    }
    return new RowOperator.Group(
        new PartialAggregateTranslator(translator, subqueries).translate(aggregate));
  }
}
