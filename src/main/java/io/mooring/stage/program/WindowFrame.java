package io.mooring.stage.program;

import io.mooring.expr.UnsupportedExpressionException;
import org.apache.spark.sql.catalyst.expressions.CurrentRow$;
import org.apache.spark.sql.catalyst.expressions.DenseRank;
import org.apache.spark.sql.catalyst.expressions.Expression;
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
    } else if (!(function instanceof AggregateExpression)) {
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

  private static UnsupportedExpressionException unsupported(SpecifiedWindowFrame frame) {
    return new UnsupportedExpressionException("window frame " + frame.sql());
  }
}
