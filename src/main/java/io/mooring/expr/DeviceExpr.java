package io.mooring.expr;

import java.io.Serializable;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
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
   * Whether its evaluation may end with a row that Spark has to compute. Only such branches of a
   * conditional need to know which rows they are asked for.
   */
  default boolean canFail() {
    return children().stream().anyMatch(DeviceExpr::canFail);
  }

  /** What becomes of a value that does not fit: Spark's evaluation modes. */
  enum Mode {
    /** Integers wrap around; decimals that overflow and quotients by zero are null. */
    LEGACY,
    /** An error. */
    ANSI,
    /** Null. */
    TRY
  }

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

  /** Arithmetic on two numbers of one type, or on two decimals. */
  record Arithmetic(Operator operator, DeviceExpr left, DeviceExpr right, DataType type, Mode mode)
      implements DeviceExpr {
    /** The operators; INTEGRAL_DIVIDE only of longs, DIVIDE only of doubles and decimals. */
    public enum Operator {
      ADD,
      SUBTRACT,
      MULTIPLY,
      DIVIDE,
      INTEGRAL_DIVIDE,
      REMAINDER,
      PMOD
    }

    @Override
    public List<DeviceExpr> children() {
      return List.of(left, right);
    }

    @Override
    public boolean canFail() {
      return mode == Mode.ANSI || isTight() || DeviceExpr.super.canFail();
    }

    /** Whether types do not show that all digits on the way to the result have a place. */
    private boolean isTight() {
      return type instanceof DecimalType decimal
          && (operator.compareTo(Operator.DIVIDE) >= 0
              || decimal.precision() == DecimalType.MAX_PRECISION());
    }
  }

  /** A comparison of two values of one type, in Spark's order. */
  record Comparison(Operator operator, DeviceExpr left, DeviceExpr right) implements DeviceExpr {
    /** The operators. */
    public enum Operator {
      EQUAL,
      EQUAL_NULL_SAFE,
      LESS,
      LESS_OR_EQUAL,
      GREATER,
      GREATER_OR_EQUAL
    }

    @Override
    public DataType type() {
      return DataTypes.BooleanType;
    }

    @Override
    public List<DeviceExpr> children() {
      return List.of(left, right);
    }
  }

  /**
   * AND, or OR, with three-valued logic; the right side counts only where the left leaves it open.
   */
  record Logical(boolean and, DeviceExpr left, DeviceExpr right) implements DeviceExpr {
    @Override
    public DataType type() {
      return DataTypes.BooleanType;
    }

    @Override
    public List<DeviceExpr> children() {
      return List.of(left, right);
    }
  }

  /**
   * Whether a value is one of several constants, at least one.
   *
   * @param orNull whether null is in the list as well
   */
  record In(DeviceExpr child, List<Literal> values, boolean orNull) implements DeviceExpr {
    @Override
    public DataType type() {
      return DataTypes.BooleanType;
    }

    @Override
    public List<DeviceExpr> children() {
      return List.of(child);
    }
  }

  /** The value of the first condition that holds; as many conditions as values. */
  record CaseWhen(List<DeviceExpr> conditions, List<DeviceExpr> values, DeviceExpr otherwise)
      implements DeviceExpr {
    @Override
    public DataType type() {
      return otherwise.type();
    }

    @Override
    public List<DeviceExpr> children() {
      return Stream.of(conditions, values, List.of(otherwise)).flatMap(List::stream).toList();
    }
  }

  /** One of several values of a type: the first, greatest or least that is not null. */
  record Choice(Kind kind, List<DeviceExpr> children) implements DeviceExpr {
    /** Which one. */
    public enum Kind {
      FIRST,
      GREATEST,
      LEAST
    }

    @Override
    public DataType type() {
      return children.get(0).type();
    }
  }

  /** A function of one value. */
  record Unary(Operator operator, DeviceExpr child, DataType type, Mode mode)
      implements DeviceExpr {
    /** FLOOR and CEIL only of decimals; UNSCALED gives a long, and MAKE_DECIMAL takes one. */
    public enum Operator {
      NOT,
      IS_NULL,
      IS_NAN,
      NORMALIZE_NAN_AND_ZERO,
      NEGATE,
      ABS,
      FLOOR,
      CEIL,
      UNSCALED,
      MAKE_DECIMAL
    }

    @Override
    public List<DeviceExpr> children() {
      return List.of(child);
    }

    @Override
    public boolean canFail() {
      return mode == Mode.ANSI || DeviceExpr.super.canFail();
    }
  }

  /**
   * A value as another type.
   *
   * @param offset of the session's zone, in microseconds
   */
  record Cast(DeviceExpr child, DataType type, Mode mode, long offset) implements DeviceExpr {
    @Override
    public List<DeviceExpr> children() {
      return List.of(child);
    }

    @Override
    public boolean canFail() {
      return true;
    }
  }

  /**
   * A function of dates and timestamps.
   *
   * @param offset of the session's zone, in microseconds
   */
  record DateFunction(Function function, List<DeviceExpr> children, DataType type, long offset)
      implements DeviceExpr {
    /** The functions; TRUNC_ ones of a date give a date, and of a timestamp a timestamp. */
    public enum Function {
      YEAR,
      QUARTER,
      MONTH,
      DAY,
      DAY_OF_WEEK,
      WEEKDAY,
      DAY_OF_YEAR,
      WEEK_OF_YEAR,
      LAST_DAY,
      ADD_DAYS,
      SUBTRACT_DAYS,
      DAYS_BETWEEN,
      ADD_MONTHS,
      TRUNC_YEAR,
      TRUNC_QUARTER,
      TRUNC_MONTH,
      TRUNC_WEEK,
      TRUNC_DAY,
      TRUNC_HOUR,
      TRUNC_MINUTE,
      TRUNC_SECOND,
      TRUNC_MILLISECOND,
      TRUNC_MICROSECOND,
      HOUR,
      MINUTE,
      SECOND
    }

    @Override
    public boolean canFail() {
      return true;
    }
  }

  /** A function of strings. */
  record TextFunction(Function function, List<DeviceExpr> children, DataType type)
      implements DeviceExpr {
    /**
     * The functions. SUBSTRING has two literals behind its string, the matching ones one. In the
     * pattern of LIKE, {@link #LIKE_ESCAPE} stands before each % and _ that is no wildcard. That of
     * RLIKE is a regular expression of libcudf's.
     */
    public enum Function {
      LENGTH,
      UPPER,
      LOWER,
      TRIM,
      TRIM_LEFT,
      TRIM_RIGHT,
      CONCAT,
      SUBSTRING,
      STARTS_WITH,
      ENDS_WITH,
      CONTAINS,
      LIKE,
      RLIKE
    }

    /** What stands in patterns before a character that would be a wildcard else. */
    public static final char LIKE_ESCAPE = '\u0001';

    @Override
    public boolean canFail() {
      return function == Function.UPPER
          || function == Function.LOWER
          || function == Function.LIKE
          || function == Function.RLIKE
          || DeviceExpr.super.canFail();
    }
  }
}
