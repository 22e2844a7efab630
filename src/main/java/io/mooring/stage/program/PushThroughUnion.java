package io.mooring.stage.program;

import io.mooring.catalyst.ScalaLists;
import io.mooring.catalyst.TreeNodes;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.physical.UnknownPartitioning;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.UnionExec;
import org.apache.spark.sql.execution.adaptive.BroadcastQueryStageExec;
import org.apache.spark.sql.execution.exchange.BroadcastExchangeExec;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;
import org.apache.spark.sql.internal.SQLConf;

/**
 * Moves operators above a union into each of its children, where at least one child becomes a
 * stage. Each partition of a union is a partition of one child, so that every task computes the
 * same rows as before.
 */
public final class PushThroughUnion {
  private PushThroughUnion() {}

  /** Whether a plan consists of operators that a stage may have, over a union. */
  public static boolean isOverUnion(SparkPlan plan) {
    List<SparkPlan> operators = StageChain.operators(plan);
    return !operators.isEmpty() && StageChain.end(plan, operators) instanceof UnionExec;
  }

  /**
   * The plan with as many of its operators below its union as a stage takes.
   *
   * @param plan operators over a union; their joins' build sides are shared by the copies
   * @return the very same plan where no child would be a stage
   */
  public static SparkPlan push(SparkPlan plan) {
    List<SparkPlan> operators = StageChain.operators(plan);
    UnionExec union = (UnionExec) StageChain.end(plan, operators);
    if (!isConcatenation(union)) {
      return plan;
    }
    List<SparkPlan> movable = movable(operators);
    List<SparkPlan> children = children(union);
    int count = children.stream().mapToInt(child -> taken(child, movable)).max().orElse(0);
    if (count == 0) {
      return plan;
    }
    List<SparkPlan> moved = movable.subList(0, count);
    List<SparkPlan> others = new ArrayList<>();
    for (SparkPlan child : children) {
      others.add(others.isEmpty() ? over(child, moved) : copyOver(child, moved));
    }
    return over(
        union.withNewChildren(ScalaLists.seq(others)), operators.subList(count, operators.size()));
  }

  /**
   * The operators of a plan over each child of its union; empty where there is no union, or not all
   * can be moved. The joins of the results share their build sides.
   */
  static List<SparkPlan> inChildren(SparkPlan plan) {
    List<SparkPlan> operators = StageChain.operators(plan);
    return StageChain.end(plan, operators) instanceof UnionExec union
            && isConcatenation(union)
            && movable(operators).size() == operators.size()
        ? children(union).stream().map(child -> over(child, operators)).toList()
        : List.of();
  }

  /** Whether a union concatenates the partitions of its children and has column ids of its own. */
  private static boolean isConcatenation(UnionExec union) {
    List<Attribute> output = ScalaLists.list(union.output());
    long ids = output.stream().map(Attribute::exprId).distinct().count();
    // A union with a known partitioning merges the children's partitions of the same index.
    return union.outputPartitioning() instanceof UnknownPartitioning
        && ids == output.size()
        && ScalaLists.<SparkPlan>list(union.children()).stream()
            .allMatch(child -> types(ScalaLists.list(child.output())).equals(types(output)));
  }

  private static List<?> types(List<Attribute> columns) {
    return columns.stream().map(Attribute::dataType).toList();
  }

  /** The operators, bottom first, whose results do not depend on a row's partition. */
  private static List<SparkPlan> movable(List<SparkPlan> operators) {
    int count = 0;
    while (count < operators.size() && isMovable(operators.get(count))) {
      count++;
    }
    return operators.subList(0, count);
  }

  private static boolean isMovable(SparkPlan operator) {
    return ScalaLists.<Expression>list(operator.expressions()).stream()
            .allMatch(Expression::deterministic)
        // Without reuse, each copy of the join would make the broadcast anew.
        && (!(operator instanceof BroadcastHashJoinExec) || SQLConf.get().exchangeReuseEnabled());
  }

  /** The number of the operators that a stage would take over a child. */
  private static int taken(SparkPlan child, List<SparkPlan> operators) {
    SparkPlan moved = over(child, operators);
    StageChain chain = StageChain.below(moved);
    if (chain == null) {
      return takenBelow(moved, operators.size());
    }
    StageChain.Supported supported = chain.supported(SubqueryResults.EXPECTED);
    if (supported == null) {
      return 0;
    }
    int below = chain.operators().size() - operators.size();
    return IntStream.range(0, operators.size())
        .filter(i -> chain.operators().get(below + i) == supported.top())
        .map(i -> i + 1)
        .findFirst()
        .orElse(0);
  }

  /** The number of the topmost operators of a plan that stages would take below its union. */
  private static int takenBelow(SparkPlan plan, int top) {
    List<SparkPlan> all = StageChain.operators(plan);
    if (!(StageChain.end(plan, all) instanceof UnionExec union) || !isConcatenation(union)) {
      return 0;
    }
    List<SparkPlan> movable = movable(all);
    int most = children(union).stream().mapToInt(child -> taken(child, movable)).max().orElse(0);
    return Math.max(0, most - (all.size() - top));
  }

  private static SparkPlan over(SparkPlan child, List<SparkPlan> operators) {
    SparkPlan plan = child;
    for (SparkPlan operator : operators) {
      plan = JoinSides.withStreamed(operator, plan);
    }
    return plan;
  }

  /** The operators over a further child, with joins that reuse the broadcasts of the first. */
  private static SparkPlan copyOver(SparkPlan child, List<SparkPlan> operators) {
    SparkPlan plan = child;
    for (SparkPlan operator : operators) {
      plan =
          operator instanceof BroadcastHashJoinExec join
              ? JoinSides.with(join, plan, reused(JoinSides.build(join)))
              : JoinSides.withStreamed(operator, plan);
    }
    return plan;
  }

  private static SparkPlan reused(SparkPlan build) {
    if (build instanceof BroadcastQueryStageExec stage) {
      List<Attribute> output = ScalaLists.list(stage.output());
      return stage.newReuseInstance(stage.id(), ScalaLists.seq(output));
    }
    // Spark reuses one of several exchanges that are equal, but only if they are not identical.
    return build instanceof BroadcastExchangeExec ? TreeNodes.copy(build, part -> part) : build;
  }

  /** The children of a union, with the ids of its columns. */
  private static List<SparkPlan> children(UnionExec union) {
    List<Attribute> output = ScalaLists.list(union.output());
    List<SparkPlan> children = new ArrayList<>();
    for (SparkPlan child : ScalaLists.<SparkPlan>list(union.children())) {
      children.add(named(child, output));
    }
    return children;
  }

  private static SparkPlan named(SparkPlan child, List<Attribute> output) {
    List<Attribute> own = ScalaLists.list(child.output());
    boolean same =
        IntStream.range(0, own.size())
            .allMatch(i -> own.get(i).exprId().equals(output.get(i).exprId()));
    if (same) {
      return child;
    }
    List<NamedExpression> values =
        child instanceof ProjectExec project
            ? ScalaLists.list(project.projectList())
            : List.copyOf(own);
    List<NamedExpression> named = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      Expression value = (Expression) values.get(i);
      named.add(
          TreeNodes.alias(
              value instanceof Alias alias ? alias.child() : value,
              output.get(i).name(),
              output.get(i).exprId()));
    }
    SparkPlan below = child instanceof ProjectExec project ? project.child() : child;
    return new ProjectExec(ScalaLists.seq(named), below);
  }
}
