package io.mooring.pushdown;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.Scalar;
import java.util.HashMap;
import java.util.Map;

/**
 * Which rows of one device table fulfil the conditions of several expressions: each condition is
 * evaluated once. Not thread-safe.
 */
final class Conditions implements AutoCloseable {
  private final Map<Expr, ColumnVector> known = new HashMap<>();

  /** True for the rows that fulfil a condition, and false, not null, for all others; not owned. */
  ColumnVector of(Expr condition, DeviceEvaluator evaluator) {
    ColumnVector rows = known.get(condition);
    if (rows == null) {
      rows = evaluated(condition, evaluator);
      known.put(condition, rows);
    }
    return rows;
  }

  private static ColumnVector evaluated(Expr condition, DeviceEvaluator evaluator) {
    try (ColumnVector values = evaluator.values(condition);
        Scalar no = Scalar.fromBool(false)) {
      return values.hasNulls() ? values.replaceNulls(no) : values.incRefCount();
    }
  }

  @Override
  public void close() {
    known.values().forEach(ColumnVector::close);
    known.clear();
  }
}
