package io.mooring.stage.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.Scalar;
import io.mooring.expr.CommonExpressions;
import io.mooring.expr.DeviceExpr;
import io.mooring.expr.device.BatchEvaluator;
import io.mooring.expr.device.DeviceBatch;
import io.mooring.stage.program.BufferFunction;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.jspecify.annotations.Nullable;

/**
 * The inputs of aggregate functions over one batch, without rows that their filters or nulls leave
 * out. Functions of equal inputs share them, until this is closed. Belongs to one thread.
 */
final class AggregateInputs implements AutoCloseable {
  private final BatchEvaluator batch;
  private final Map<Key, ColumnVector> columns = new HashMap<>();

  /**
   * The key of an input.
   *
   * @param sum the type of the sum as whose terms the values are; null for the values themselves
   */
  private record Key(DeviceExpr input, @Nullable DeviceExpr filter, @Nullable DataType sum) {}

  AggregateInputs(DeviceBatch rows, CommonExpressions common) {
    this.batch = new BatchEvaluator(rows, common);
  }

  /** The values of a key of the groups; the caller closes them. */
  ColumnVector key(DeviceExpr key) {
    return batch.evaluate(key);
  }

  /** The values of a function's input, null in rows that its filter leaves out. */
  ColumnVector input(BufferFunction function) {
    return shared(new Key(function.input(), function.filter(), null), () -> passing(function));
  }

  /**
   * The values of a function's input as terms of a sum.
   *
   * @throws io.mooring.expr.device.SparkFallbackException when a sum of decimals may overflow
   */
  ColumnVector terms(BufferFunction function) {
    DataType sum = function.buffers().get(0);
    return shared(
        new Key(function.input(), function.filter(), sum),
        () -> {
          try (ColumnVector input = input(function)) {
            return terms(input, function.input(), sum);
          }
        });
  }

  private static ColumnVector terms(ColumnVector input, DeviceExpr of, DataType sum) {
    if (sum instanceof DecimalType decimal) {
      return DecimalSums.widened(input, of, decimal);
    }
    // libcudf adds narrower integers up as longs.
    return sum.equals(DataTypes.DoubleType) ? input.castTo(DType.FLOAT64) : input.incRefCount();
  }

  private ColumnVector shared(Key key, Supplier<ColumnVector> computed) {
    ColumnVector column = columns.get(key);
    if (column == null) {
      column = computed.get();
      columns.put(key, column);
    }
    return column.incRefCount();
  }

  private ColumnVector passing(BufferFunction function) {
    ColumnVector values = batch.evaluate(function.input());
    if (function.filter() == null) {
      return values;
    }
    try (values;
        ColumnVector counts = batch.evaluate(function.filter());
        Scalar none = Scalar.fromNull(values.getType())) {
      return counts.ifElse(values, none);
    }
  }

  /** Whether a row counts, without nulls; null when all do. */
  @Nullable ColumnVector mask(BufferFunction function) {
    @Nullable ColumnVector mask = null;
    boolean done = false;
    try {
      if (function.filter() != null) {
        mask = withoutNulls(function.filter());
      }
      for (DeviceExpr input : function.inputs()) {
        mask = and(mask, present(input));
      }
      done = true;
      return mask;
    } finally {
      if (!done && mask != null) {
        mask.close();
      }
    }
  }

  private ColumnVector withoutNulls(DeviceExpr filter) {
    try (ColumnVector passes = batch.evaluate(filter);
        Scalar no = Scalar.fromBool(false)) {
      return passes.replaceNulls(no);
    }
  }

  /** Whether there is a value; null when there is one in every row. */
  private @Nullable ColumnVector present(DeviceExpr input) {
    try (ColumnVector values = batch.evaluate(input)) {
      return values.hasNulls() ? values.isNotNull() : null;
    }
  }

  /** Closes both. */
  private static @Nullable ColumnVector and(
      @Nullable ColumnVector mask, @Nullable ColumnVector other) {
    if (mask == null || other == null) {
      return mask == null ? other : mask;
    }
    try (other;
        ColumnVector one = Objects.requireNonNull(mask)) {
      return one.and(other);
    }
  }

  @Override
  public void close() {
    columns.values().forEach(ColumnVector::close);
    columns.clear();
    batch.close();
  }
}
