package io.mooring.stage.program;

import io.mooring.expr.DeviceExpr;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;

/**
 * One function of a partial aggregate.
 *
 * @param inputs one, but of {@link Kind#COUNT} any number
 * @param filter rows for which it is not true do not count; null for none
 * @param buffers types of the columns that it is kept in
 * @param ansi whether a sum that overflows is an error
 */
public record BufferFunction(
    Kind kind,
    List<DeviceExpr> inputs,
    @Nullable DeviceExpr filter,
    List<DataType> buffers,
    boolean ansi)
    implements Serializable {
  /** What is computed, and in which buffers Spark keeps it. */
  public enum Kind {
    /** Rows of which no input is null, as a long. */
    COUNT,
    /** A sum as a long or a double, null of nothing. */
    SUM,
    /** A sum of decimals, zero of nothing, and whether it is of nothing. */
    DECIMAL_SUM,
    /** A sum as a double or a decimal, zero of nothing, and a count. */
    AVERAGE,
    /** The least value, null of nothing. */
    MIN,
    /** The greatest value, null of nothing. */
    MAX,
    /** Count, mean and sum of squared differences from it as doubles, zero of nothing. */
    MOMENTS
  }

  public BufferFunction {
    inputs = List.copyOf(inputs);
    buffers = List.copyOf(buffers);
  }

  /** The input of a function that has one. */
  public DeviceExpr input() {
    return inputs.get(0);
  }
}
