package io.mooring.spark.plan.aggregates;

import io.mooring.catalyst.ScalaLists;
import io.mooring.spark.plan.GroupEstimate;
import io.mooring.spark.plan.GroupEstimate.ColumnValues;
import io.mooring.spark.plan.RowCounts;
import io.mooring.spark.plan.RowEstimates;
import io.mooring.stage.program.FinalStageChain;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;

/**
 * Estimates of the groups of a chain. Immutable.
 *
 * @param chain whose groups they are
 * @param first aggregate, whose partial groups would be exchanged
 * @param last aggregate, whose results leave the chain
 * @param stages that make the partial groups
 * @param few whether what is above takes few of the rows, or puts all in one order
 * @param mostRows that may leave the chain
 * @param counts of rows below the aggregates
 */
record ChainGroups(
    FinalStageChain chain,
    Aggregate first,
    Aggregate last,
    int stages,
    boolean few,
    double mostRows,
    RowCounts counts) {
  /** Bytes of groups as far as they are known: where nothing is known there may be few. */
  double knownBytes(ColumnValues columns) {
    return first.stats().rowCount().isDefined()
        ? counts.rowsBytes(first)
        : new GroupEstimate(first.child(), false, columns, counts)
                .leastGroups(ScalaLists.list(first.groupingExpressions()))
            * RowEstimates.rowBytes(first);
  }

  /** The number of groups that stages give, each perhaps all of them. */
  double partial(ColumnValues columns) {
    double own = groups(first, keys((BaseAggregateExec) chain.groups()), columns);
    return stages == 1 ? own : Math.min(stages * own, counts.rows(first.child()));
  }

  /** The number of groups that the last aggregate gives. */
  double results(ColumnValues columns) {
    return groups(last, ScalaLists.list(last.groupingExpressions()), columns);
  }

  private double groups(
      Aggregate aggregate, List<? extends Expression> keys, ColumnValues columns) {
    var known = aggregate.stats().rowCount();
    return known.isDefined()
        ? known.get().toDouble()
        : new GroupEstimate(aggregate.child(), few, columns, counts).groups(keys);
  }

  private static List<Expression> keys(BaseAggregateExec aggregate) {
    return ScalaLists.<NamedExpression>list(aggregate.groupingExpressions()).stream()
        .map(Expression.class::cast)
        .toList();
  }
}
