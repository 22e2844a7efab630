package io.mooring.stage.program;

import io.mooring.expr.DeviceExpr;
import java.io.Serializable;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.jspecify.annotations.Nullable;

/**
 * One function of a partial aggregate, by Spark's aggregation buffers.
 *
 * @param inputs one, but any number for {@link Kind#COUNT}
 * @param filter must be true for rows that count; null for all rows
 * @param buffers types of the buffer's columns
 * @param ansi whether a sum that overflows is an error
 * @param mergedFrom the ordinal of this function's first buffer among the input columns if it
 *     merges groups; {@link #ADDED} if it adds rows
 */
public record BufferFunction(
    Kind kind,
    List<DeviceExpr> inputs,
    @Nullable DeviceExpr filter,
    List<DataType> buffers,
    boolean ansi,
    int mergedFrom)
    implements Serializable {
  /** Says that the function adds rows to its buffers. */
  public static final int ADDED = -1;

  /** The functions, by the buffers that Spark keeps for them. */
  public enum Kind {
    /** The number of rows without a null input, a long. */
    COUNT,
    /** A sum as a long or a double, null for no values. */
    SUM,
    /** A sum of decimals, zero for no values, and whether there was no value. */
    DECIMAL_SUM,
    /** A sum as a double or a decimal, zero for no values, and a count. */
    AVERAGE,
    /** The least value, null for no values. */
    MIN,
    /** The greatest value, null for no values. */
    MAX,
    /** Count, mean and sum of squared differences from it as doubles, zero for no values. */
    MOMENTS
  }

  public BufferFunction {
    inputs = List.copyOf(inputs);
    buffers = List.copyOf(buffers);
  }

  /** Whether it merges buffers that are among the columns. */
  public boolean merges() {
    return mergedFrom != ADDED;
  }

  /** The values of the buffers for no rows, as Spark keeps them internally. */
  List<@Nullable Object> ofNothing() {
    return switch (kind) {
      case SUM, MIN, MAX -> Collections.singletonList(null);
      case DECIMAL_SUM -> List.of(zero(buffers.get(0)), true);
      case COUNT, AVERAGE, MOMENTS ->
          buffers.stream().<@Nullable Object>map(BufferFunction::zero).toList();
    };
  }

  /** Zero of a type of sums, in Spark's internal form. */
  static Object zero(DataType type) {
    if (type instanceof DecimalType decimal) {
      return Decimal.createUnsafe(0, decimal.precision(), decimal.scale());
    }
    return type instanceof DoubleType ? (Object) 0.0 : (Object) 0L;
  }

  /** The expressions that it evaluates for each row: its inputs and its filter. */
  Stream<DeviceExpr> expressions() {
    return Stream.concat(inputs.stream(), Stream.ofNullable(filter));
  }

  /** The input of a function that has one. */
  public DeviceExpr input() {
    return inputs.get(0);
  }
}
