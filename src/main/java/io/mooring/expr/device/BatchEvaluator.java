package io.mooring.expr.device;

import ai.rapids.cudf.ColumnVector;
import io.mooring.expr.CommonExpressions;
import io.mooring.expr.DeviceExpr;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Evaluates expressions over one batch of rows. It computes common expressions once and keeps their
 * values until it is closed. Belongs to one thread.
 */
public final class BatchEvaluator implements AutoCloseable {
  private final DeviceBatch input;
  private final CommonExpressions common;
  private final Map<DeviceExpr, ColumnVector> values = new HashMap<>();

  /**
   * @param input rows, which stay the caller's
   * @param common of the expressions that will be evaluated
   */
  public BatchEvaluator(DeviceBatch input, CommonExpressions common) {
    this.input = input;
    this.common = common;
  }

  /**
   * The values of an expression for all rows; the caller closes the column.
   *
   * @throws SparkFallbackException when Spark has to compute some row
   */
  public ColumnVector evaluate(DeviceExpr expr) {
    return expr.accept(new ExprEvaluator(this, null));
  }

  /** The rows. */
  public DeviceBatch input() {
    return input;
  }

  /** The values of a node for all rows, computed unless they are known; the caller closes them. */
  ColumnVector known(DeviceExpr expr, Supplier<ColumnVector> computed) {
    if (!common.contains(expr)) {
      return computed.get();
    }
    ColumnVector known = values.get(expr);
    if (known == null) {
      known = computed.get();
      values.put(expr, known);
    }
    return known.incRefCount();
  }

  @Override
  public void close() {
    values.values().forEach(ColumnVector::close);
    values.clear();
  }
}
