package io.mooring.pushdown.device;

import ai.rapids.cudf.ColumnVector;
import io.mooring.pushdown.Expr;
import java.util.HashMap;
import java.util.Map;

/**
 * Which rows of one device table fulfil the conditions of several expressions: each condition is
 * evaluated once. Not thread-safe.
 */
final class ConditionCache implements AutoCloseable {
  private final Map<Expr, ColumnVector> known = new HashMap<>();

  /**
   * True for the rows that fulfil a condition; false, or null where it is not known, for all
   * others, which is the same to {@link ColumnVector#ifElse}. Not owned.
   */
  ColumnVector of(Expr condition, DeviceEvaluator evaluator) {
    ColumnVector rows = known.get(condition);
    if (rows == null) {
      rows = evaluator.values(condition);
      known.put(condition, rows);
    }
    return rows;
  }

  @Override
  public void close() {
    known.values().forEach(ColumnVector::close);
    known.clear();
  }
}
