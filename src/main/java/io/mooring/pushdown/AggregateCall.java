package io.mooring.pushdown;

import io.mooring.columnar.ScalarTypes;
import java.io.Serializable;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/**
 * One partial aggregate.
 *
 * @param input null for {@link Kind#COUNT_ROWS} only
 */
public record AggregateCall(Kind kind, @Nullable Expr input) implements Serializable {
  /** The function; nulls count for {@link #COUNT_ROWS} only. */
  public enum Kind {
    COUNT_ROWS,
    COUNT,
    SUM,
    MIN,
    MAX
  }

  /** Spark's type of the result: sums are long or double. */
  public DataType type() {
    if (kind == Kind.MIN || kind == Kind.MAX) {
      return argument().type();
    }
    boolean floating = kind == Kind.SUM && ScalarTypes.isFloating(argument().type());
    return floating ? DataTypes.DoubleType : DataTypes.LongType;
  }

  /** The input; fails for {@link Kind#COUNT_ROWS}, which has none. */
  public Expr argument() {
    if (input == null) {
      throw new IllegalStateException(kind + " has no input");
    }
    return input;
  }

  /** The same call over a bound input. */
  AggregateCall withInput(@Nullable Expr bound) {
    return new AggregateCall(kind, bound);
  }
}
