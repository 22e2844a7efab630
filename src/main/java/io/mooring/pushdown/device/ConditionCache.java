package io.mooring.pushdown.device;

import ai.rapids.cudf.ColumnVector;
import io.mooring.pushdown.Expr;
import java.util.HashMap;
import java.util.Map;

/** The conditions of CASE over one device table, each evaluated once. Not thread-safe. */
final class ConditionCache implements AutoCloseable {
  private final Map<Expr, ColumnVector> known = new HashMap<>();

  /**
   * The values of a condition: {@link ColumnVector#ifElse} treats null as false. The column stays
   * the cache's.
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
