package io.mooring.stage.program;

import static io.mooring.catalyst.ScalaLists.list;

import io.mooring.catalyst.ScalaLists;
import io.mooring.expr.CatalystTranslator;
import io.mooring.expr.DeviceExpr;
import io.mooring.expr.UnsupportedExpressionException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.ExpandExec;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.LocalLimitExec;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import org.apache.spark.sql.execution.aggregate.SortAggregateExec;
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;
import org.jspecify.annotations.Nullable;

/**
 * A chain of operators over a scan of Mooring.
 *
 * @param scan at the bottom
 * @param operators bottom first
 */
public record StageChain(BatchScanExec scan, List<SparkPlan> operators) {
  /**
   * The part of a chain that the GPU computes.
   *
   * @param top the topmost operator
   * @param above the operator that it ends below, and why; null when the whole chain is supported
   */
  public record Supported(SparkPlan top, StageProgram program, @Nullable String above) {
    /** Whether the rows are partial groups. */
    public boolean givesGroups() {
      return top instanceof BaseAggregateExec;
    }
  }

  /** The chain whose top is a node; null when there is none, or no operator. */
  public static @Nullable StageChain below(SparkPlan top) {
    StageChain chain = over(top);
    return chain == null || chain.operators().isEmpty() ? null : chain;
  }

  /** The chain whose top is a node, perhaps the scan alone; null when there is none. */
  public static @Nullable StageChain over(SparkPlan top) {
    List<SparkPlan> operators = operators(top);
    SparkPlan end = end(top, operators);
    return end instanceof BatchScanExec scan && StageScan.takes(scan.scan())
        ? new StageChain(scan, operators)
        : null;
  }

  /**
   * The operators of kinds that stages have, from a node down to the first of another kind; bottom
   * first.
   */
  public static List<SparkPlan> operators(SparkPlan top) {
    List<SparkPlan> operators = new ArrayList<>();
    SparkPlan node = top;
    while (isOperator(node, operators)) {
      operators.add(0, node);
      node = JoinSides.streamed(node);
    }
    return operators;
  }

  /** The node below the operators. */
  public static SparkPlan end(SparkPlan top, List<SparkPlan> operators) {
    return operators.isEmpty() ? top : JoinSides.streamed(operators.get(0));
  }

  /**
   * @param above the operators above the node, bottom first
   */
  private static boolean isOperator(SparkPlan node, List<SparkPlan> above) {
    if (node instanceof BaseAggregateExec aggregate) {
      return above.isEmpty() && PartialAggregateTranslator.isPartial(aggregate);
    } else if (node instanceof LocalLimitExec limit) {
      return above.isEmpty() && limit.child() instanceof SortExec sort && !sort.global();
    } else if (node instanceof SortExec sort) {
      // The sort serves only the node above.
      return !above.isEmpty() && !sort.global() && needsSort(above.get(0));
    }
    return node instanceof FilterExec
        || node instanceof ProjectExec
        || node instanceof ExpandExec
        || node instanceof BroadcastHashJoinExec;
  }

  private static boolean needsSort(SparkPlan node) {
    return node instanceof LocalLimitExec || node instanceof SortAggregateExec;
  }

  /** The operators that have a counterpart among the program's, bottom first. */
  public List<SparkPlan> rowOperators() {
    return operators.stream()
        .filter(it -> !(it instanceof BaseAggregateExec) && !(it instanceof SortExec))
        .toList();
  }

  /** The joins among the operators, bottom first. */
  public List<BroadcastHashJoinExec> joins() {
    return operators.stream()
        .filter(BroadcastHashJoinExec.class::isInstance)
        .map(BroadcastHashJoinExec.class::cast)
        .toList();
  }

  /** The supported operators, up to the first that is not; null when they compute nothing. */
  public @Nullable Supported supported(SubqueryResults subqueries) {
    @Nullable Supported all = translated(subqueries);
    if (all == null || all.top() == operators.get(operators.size() - 1)) {
      return all;
    }
    // The operators above use all columns of the new top.
    StageChain below = new StageChain(scan, upTo(all.top()));
    Supported part = Objects.requireNonNull(below.translated(subqueries));
    return new Supported(part.top(), part.program(), all.above());
  }

  /** All of the operators, even where they compute nothing; null when one is not supported. */
  public @Nullable Supported whole(SubqueryResults subqueries) {
    Translation translation = new Translation(subqueries);
    SparkPlan top = scan;
    try {
      for (int i = 0; i < operators.size(); i++) {
        top = operators.get(i);
        translation.add(top, i);
      }
    } catch (UnsupportedExpressionException e) {
      return null;
    }
    return new Supported(top, translation.program(top), null);
  }

  private List<SparkPlan> upTo(SparkPlan top) {
    for (int i = 0; i < operators.size(); i++) {
      if (operators.get(i) == top) {
        return operators.subList(0, i + 1);
      }
    }
    throw new IllegalArgumentException("The chain has no " + top.nodeName());
  }

  private @Nullable Supported translated(SubqueryResults subqueries) {
    Translation translation = new Translation(subqueries);
    @Nullable Supported best = null;
    @Nullable String above = null;
    for (int i = 0; i < operators.size(); i++) {
      SparkPlan operator = operators.get(i);
      try {
        translation.add(operator, i);
      } catch (UnsupportedExpressionException e) {
        above = above == null ? operator.nodeName() + ": " + e.getMessage() : above;
        break;
      }
      StageProgram program = translation.program(operator);
      if (program.computes() && !program.givesExpanded() && !(operator instanceof SortExec)) {
        boolean isLate = LateColumns.mayRaise(operator);
        best = isLate ? best : new Supported(operator, program, null);
        above = isLate ? operator.nodeName() + ": " + LateColumns.REASON : null;
      }
    }
    return best == null || above == null ? best : new Supported(best.top(), best.program(), above);
  }

  /** Translates operators one after the other. */
  private final class Translation {
    private final SubqueryResults subqueries;
    private final List<RowOperator> translated = new ArrayList<>();
    private @Nullable GroupedAggregate aggregate;
    private List<Attribute> columns = list(scan.output());
    private int joins;

    Translation(SubqueryResults subqueries) {
      this.subqueries = subqueries;
    }

    void add(SparkPlan operator, int at) throws UnsupportedExpressionException {
      CatalystTranslator translator = new CatalystTranslator(columns);
      if (operator instanceof FilterExec filter) {
        translated.add(new RowOperator.Filter(expr(translator, filter.condition())));
      } else if (operator instanceof ProjectExec project) {
        translated.add(projection(translator, project));
        columns = list(operator.output());
      } else if (operator instanceof ExpandExec expand) {
        translated.add(expansion(translator, expand));
        columns = list(operator.output());
      } else if (operator instanceof BroadcastHashJoinExec join) {
        List<Attribute> used = UsedColumns.of(operators, at);
        RowOperator.Join probe =
            new JoinTranslator(join, columns, subqueries).translate(joins++, used);
        NumberedRows.check(join, probe);
        if (probe.pairsRows()) {
          ComparedResults.check(join);
        }
        translated.add(probe);
        columns = used;
      } else if (operator instanceof BaseAggregateExec grouped) {
        ComparedResults.check((SparkPlan) grouped);
        aggregate = new PartialAggregateTranslator(translator, subqueries).translate(grouped);
        columns = list(operator.output());
      } else if (operator instanceof LocalLimitExec limit) {
        translated.add(new TopTranslator(translator, subqueries).translate(limit));
      }
    }

    private RowOperator projection(CatalystTranslator translator, ProjectExec project)
        throws UnsupportedExpressionException {
      List<DeviceExpr> values = new ArrayList<>();
      for (var named : list(project.projectList())) {
        values.add(flat(translator, (Expression) named));
      }
      return new RowOperator.Project(values);
    }

    private RowOperator expansion(CatalystTranslator translator, ExpandExec expand)
        throws UnsupportedExpressionException {
      List<List<DeviceExpr>> projections = new ArrayList<>();
      for (var projection : list(expand.projections())) {
        List<DeviceExpr> values = new ArrayList<>();
        for (Expression value : ScalaLists.<Expression>list(projection)) {
          values.add(flat(translator, value));
        }
        projections.add(values);
      }
      return new RowOperator.Expand(projections);
    }

    private DeviceExpr flat(CatalystTranslator translator, Expression value)
        throws UnsupportedExpressionException {
      if (!StageScan.isFlat(value.dataType())) {
        throw new UnsupportedExpressionException("type " + value.dataType().sql());
      }
      return expr(translator, value);
    }

    private DeviceExpr expr(CatalystTranslator translator, Expression expression)
        throws UnsupportedExpressionException {
      Expression unnamed = expression instanceof Alias alias ? alias.child() : expression;
      return translator.translate(subqueries.in(unnamed));
    }

    StageProgram program(SparkPlan top) {
      return new StageProgram(
          translated, aggregate, list(top.output()).stream().map(Attribute::dataType).toList());
    }
  }
}
