package io.mooring.stage.program;

import io.mooring.catalyst.TreeNodes;
import io.mooring.expr.UnsupportedExpressionException;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.CurrentRow$;
import org.apache.spark.sql.catalyst.expressions.DenseRank;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.Rank;
import org.apache.spark.sql.catalyst.expressions.RowFrame$;
import org.apache.spark.sql.catalyst.expressions.RowNumber;
import org.apache.spark.sql.catalyst.expressions.SpecifiedWindowFrame;
import org.apache.spark.sql.catalyst.expressions.UnboundedFollowing$;
import org.apache.spark.sql.catalyst.expressions.UnboundedPreceding$;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;

/** The rows of a partition that a window function is of, as far as the GPU supports them. */
enum WindowFrame {
  /** All. */
  WHOLE,
  /** From the first to the current one. */
  RUNNING_ROWS,
  /** From the first to the last one that is equal to the current one by the window's keys. */
  RUNNING_PEERS;

  /**
   * The frame of a function.
   *
   * @throws UnsupportedExpressionException for other frames and functions
   */
  static WindowFrame of(WindowExpression window) throws UnsupportedExpressionException {
    Expression function = window.windowFunction();
    if (function instanceof RowNumber
        || function instanceof Rank
        || function instanceof DenseRank) {
      return RUNNING_ROWS;
    } else if (!(function instanceof AggregateExpression call)
        || call.isDistinct()
        || call.filter().isDefined()) {
      throw new UnsupportedExpressionException("window function " + function.prettyName());
    }
    SpecifiedWindowFrame frame = (SpecifiedWindowFrame) window.windowSpec().frameSpecification();
    if (frame.lower() != UnboundedPreceding$.MODULE$) {
      throw unsupported(frame);
    } else if (frame.upper() == UnboundedFollowing$.MODULE$) {
      return WHOLE;
    } else if (frame.upper() != CurrentRow$.MODULE$) {
      throw unsupported(frame);
    }
    return frame.frameType() == RowFrame$.MODULE$ ? RUNNING_ROWS : RUNNING_PEERS;
  }

  /**
   * Whether functions have the same results whichever of equal rows come first, unlike row numbers.
   */
  static boolean areDeterministic(List<NamedExpression> columns) {
    boolean[] all = {true};
    for (NamedExpression column : columns) {
      TreeNodes.forEach((Expression) column, it -> all[0] &= !dependsOnOrderOfPeers(it));
    }
    return all[0];
  }

  /** Whether the frame of a function ends before its partition does. */
  static boolean anyRuns(List<NamedExpression> columns) {
    boolean[] any = {false};
    for (NamedExpression column : columns) {
      TreeNodes.forEach((Expression) column, it -> any[0] |= runs(it));
    }
    return any[0];
  }

  private static boolean runs(Expression expression) {
    return expression instanceof WindowExpression window
        && window.windowSpec().frameSpecification() instanceof SpecifiedWindowFrame frame
        && frame.upper() != UnboundedFollowing$.MODULE$;
  }

  private static boolean dependsOnOrderOfPeers(Expression expression) {
    return expression instanceof RowNumber
        || (expression instanceof WindowExpression window
            && window.windowFunction() instanceof AggregateExpression
            && window.windowSpec().frameSpecification() instanceof SpecifiedWindowFrame frame
            && frame.frameType() == RowFrame$.MODULE$
            && !frame.isUnbounded());
  }

  private static UnsupportedExpressionException unsupported(SpecifiedWindowFrame frame) {
    return new UnsupportedExpressionException("window frame " + frame.sql());
  }
}
