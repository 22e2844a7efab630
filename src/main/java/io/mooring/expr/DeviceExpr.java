package io.mooring.expr;

import java.io.Serializable;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.jspecify.annotations.Nullable;

/**
 * An expression over the columns of a device table, with Spark's semantics. Immutable, equal by
 * value. It travels to executors that may have no cudf, so that what evaluates it stands apart.
 */
public sealed interface DeviceExpr extends Serializable
    permits Arithmetic,
        DateFunction,
        DeviceExpr.CaseWhen,
        DeviceExpr.Cast,
        DeviceExpr.Choice,
        DeviceExpr.Comparison,
        DeviceExpr.In,
        DeviceExpr.InputColumn,
        DeviceExpr.Literal,
        DeviceExpr.Logical,
        StringFunction,
        TimeText,
        Unary,
        UnixTime {
  /** The Spark type of the values. */
  DataType type();

  /** The expressions that it is computed from. */
  List<DeviceExpr> children();

  /** The visitor's result for this kind of node. */
  <R> R accept(Visitor<R> visitor);

  /**
   * Whether evaluation may find a row that Spark has to compute. Branches of a conditional that may
   * are evaluated with a mask of the rows that reach them.
   */
  default boolean canFail() {
    return children().stream().anyMatch(DeviceExpr::canFail);
  }

  /** Whether Spark may raise an error for a row. */
  default boolean canRaise() {
    return children().stream().anyMatch(DeviceExpr::canRaise);
  }

  /** Spark's evaluation modes, by the result for a value that does not fit. */
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
   * @param ordinal among the input's columns
   */
  record InputColumn(int ordinal, DataType type) implements DeviceExpr {
    @Override
    public List<DeviceExpr> children() {
      return List.of();
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
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

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
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

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * AND, or OR, with three-valued logic; the right side counts only where the left does not decide.
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

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
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

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
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

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** One of several values of a type: the first, greatest or least that is not null. */
  record Choice(Kind kind, List<DeviceExpr> children) implements DeviceExpr {
    /** The value that is chosen. */
    public enum Kind {
      FIRST,
      GREATEST,
      LEAST
    }

    @Override
    public DataType type() {
      return children.get(0).type();
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * A cast.
   *
   * @param zone of the session; a {@link java.time.ZoneOffset} where its offset never changes
   */
  record Cast(DeviceExpr child, DataType type, Mode mode, ZoneId zone) implements DeviceExpr {
    /** A cast between types without times. */
    public Cast(DeviceExpr child, DataType type, Mode mode) {
      this(child, type, mode, ZoneOffset.UTC);
    }

    @Override
    public List<DeviceExpr> children() {
      return List.of(child);
    }

    @Override
    public boolean canFail() {
      return true;
    }

    @Override
    public boolean canRaise() {
      boolean widens =
          type instanceof NumericType
              && child.type() instanceof NumericType
              && org.apache.spark.sql.catalyst.expressions.Cast.canUpCast(child.type(), type);
      // A day of the far future has no timestamp, in any mode.
      boolean isDateToTimestamp =
          child.type() instanceof DateType
              && (type instanceof TimestampType || type instanceof TimestampNTZType);
      return (mode == Mode.ANSI && !widens) || isDateToTimestamp || DeviceExpr.super.canRaise();
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * An operation on expressions with one method for each kind of node, so that the compiler finds a
   * node without one.
   *
   * @param <R> the operation's result
   */
  interface Visitor<R> {
    R visit(DeviceExpr.InputColumn column);

    R visit(DeviceExpr.Literal literal);

    R visit(DeviceExpr.Comparison comparison);

    R visit(DeviceExpr.In in);

    R visit(DeviceExpr.Logical logical);

    R visit(DeviceExpr.CaseWhen branches);

    R visit(DeviceExpr.Choice choice);

    R visit(Arithmetic arithmetic);

    R visit(Unary unary);

    R visit(DeviceExpr.Cast cast);

    R visit(DateFunction function);

    R visit(StringFunction function);

    R visit(UnixTime function);

    R visit(TimeText function);
  }
}
