package io.mooring.expr;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;

/**
 * An expression over the columns of a device table, with Spark's semantics. Immutable, equal by
 * value. It travels to executors that may have no cudf, so that what evaluates it stands apart.
 */
public sealed interface DeviceExpr extends Serializable {
  /** Spark's type of its values. */
  DataType type();

  /** What it is computed from. */
  List<DeviceExpr> children();

  /**
   * A column of the input.
   *
   * @param ordinal its place among the input's columns
   */
  record InputColumn(int ordinal, DataType type) implements DeviceExpr {
    @Override
    public List<DeviceExpr> children() {
      return List.of();
    }
  }

  /**
   * A constant.
   *
   * @param value in Spark's internal form
   */
  record Literal(@Nullable Object value, DataType type) implements DeviceExpr {
    @Override
    public List<DeviceExpr> children() {
      return List.of();
    }
  }
}
