package io.mooring.expr.device;

import ai.rapids.cudf.BinaryOp;
import ai.rapids.cudf.BinaryOperable;
import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.Scalar;
import io.mooring.columnar.CudfTypes;
import io.mooring.expr.DeviceExpr;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The evaluation of one node. Keeps intermediate columns and scalars until it is closed. Belongs to
 * one thread.
 */
final class Evaluation implements AutoCloseable {
  private final DeviceBatch input;
  private final @Nullable ColumnVector reached;
  private final Evaluator evaluator;
  private final Deque<AutoCloseable> intermediates = new ArrayDeque<>();

  /** Evaluates an expression for some rows of the batch; the caller closes the column. */
  interface Evaluator {
    ColumnVector evaluate(DeviceExpr expr, @Nullable ColumnVector reached);
  }

  /**
   * @param reached the rows that are asked for, without nulls; null for all of them. Other rows
   *     never fail, and their values are arbitrary.
   * @param evaluator for the children of the expression
   */
  Evaluation(DeviceBatch input, @Nullable ColumnVector reached, Evaluator evaluator) {
    this.input = input;
    this.reached = reached;
    this.evaluator = evaluator;
  }

  @Nullable ColumnVector reached() {
    return reached;
  }

  /** Closes something with this evaluation. */
  <T extends AutoCloseable> T keep(T column) {
    intermediates.push(column);
    return column;
  }

  /** The values of a child. */
  ColumnVector column(DeviceExpr child) {
    return column(child, reached);
  }

  /** The values of a child for some of the rows. */
  ColumnVector column(DeviceExpr child, @Nullable ColumnVector rows) {
    return keep(evaluator.evaluate(child, rows));
  }

  /** A child as a column, or as a scalar if it is a constant. */
  BinaryOperable operand(DeviceExpr child) {
    return operand(child, reached);
  }

  /** A child as a column or a scalar, for some of the rows. */
  BinaryOperable operand(DeviceExpr child, @Nullable ColumnVector rows) {
    return child instanceof DeviceExpr.Literal literal
        ? keep(scalar(literal))
        : column(child, rows);
  }

  /** A constant as a scalar that the caller closes. */
  static Scalar scalar(DeviceExpr.Literal literal) {
    return CudfTypes.scalar(literal.value(), CudfTypes.of(literal.type()));
  }

  /** A string. */
  Scalar text(String text) {
    return keep(Scalar.fromString(text));
  }

  /** A number that is no decimal. */
  Scalar number(Number value, DType type) {
    return keep(CudfTypes.number(value, type));
  }

  /** An operand as a column. */
  ColumnView asColumn(BinaryOperable operand) {
    return operand instanceof Scalar scalar
        ? keep(ColumnVector.fromScalar(scalar, Math.toIntExact(input.rows())))
        : (ColumnView) operand;
  }

  ColumnVector cast(ColumnView column, DType type) {
    return keep(column.castTo(type));
  }

  /** The same bytes as another type of the same width. */
  ColumnView bits(ColumnView column, DType type) {
    return keep(column.bitCastTo(type));
  }

  ColumnVector binary(BinaryOp operator, BinaryOperable a, BinaryOperable b, DType type) {
    BinaryOperable left = a instanceof Scalar && b instanceof Scalar ? asColumn(a) : a;
    return keep(left.binaryOp(operator, b, type));
  }

  /** A comparison or a logical operation. */
  ColumnVector test(BinaryOp operator, BinaryOperable a, BinaryOperable b) {
    return binary(operator, a, b, DType.BOOL8);
  }

  ColumnVector not(ColumnView condition) {
    return keep(condition.not());
  }

  /** The rows of a condition that are true, without nulls. */
  ColumnVector isTrue(ColumnVector condition) {
    return condition.getNullCount() == 0
        ? condition
        : keep(condition.replaceNulls(keep(Scalar.fromBool(false))));
  }

  /** Values of one operand where a condition is true, and of another elsewhere. */
  ColumnVector select(ColumnView condition, BinaryOperable a, BinaryOperable b) {
    if (a instanceof Scalar first) {
      return keep(
          b instanceof Scalar second
              ? condition.ifElse(first, second)
              : condition.ifElse(first, (ColumnView) b));
    }
    return keep(
        b instanceof Scalar second
            ? condition.ifElse((ColumnView) a, second)
            : condition.ifElse((ColumnView) a, (ColumnView) b));
  }

  ColumnVector nullWhere(ColumnView condition, ColumnView values) {
    return select(condition, keep(Scalar.fromNull(values.getType())), values);
  }

  /**
   * Leaves the rows to Spark if a condition is true for one that is asked for.
   *
   * @throws SparkFallbackException in that case
   */
  void refuse(ColumnView failing, String reason) {
    if (any(reached == null ? failing : test(BinaryOp.LOGICAL_AND, failing, reached))) {
      throw new SparkFallbackException(reason);
    }
  }

  /** Whether a condition is true for some row of all. */
  boolean any(ColumnView condition) {
    Scalar any = keep(condition.any());
    return any.isValid() && any.getBoolean();
  }

  /** The result of a mode for values that do not fit: an error, or null. */
  ColumnView settle(DeviceExpr.Mode mode, ColumnView failing, ColumnView values, String reason) {
    if (mode == DeviceExpr.Mode.ANSI) {
      refuse(failing, reason);
      return values;
    }
    return nullWhere(failing, values);
  }

  /**
   * The values, null in rows that are not asked for. libcudf's functions of strings and dates
   * access memory out of bounds for values that they do not expect.
   */
  ColumnVector asked(ColumnVector values) {
    return reached == null ? values : nullWhere(not(reached), values);
  }

  /**
   * The greatest absolute value of integers, or unscaled value of decimals, in the rows asked for.
   */
  BigInteger magnitude(ColumnView values) {
    ColumnView asked = reached == null ? values : nullWhere(not(reached), values);
    Scalar least = keep(asked.min());
    Scalar most = keep(asked.max());
    return least.isValid() ? digits(least).abs().max(digits(most).abs()) : BigInteger.ZERO;
  }

  private static BigInteger digits(Scalar value) {
    return switch (value.getType().getTypeId()) {
      case INT32 -> BigInteger.valueOf(value.getInt());
      case INT64 -> BigInteger.valueOf(value.getLong());
      default -> value.getBigDecimal().unscaledValue();
    };
  }

  /** Values as a column of their own. */
  ColumnVector result(ColumnView values) {
    return values instanceof ColumnVector column
        ? column.incRefCount()
        : values.copyToColumnVector();
  }

  @Override
  public void close() {
    for (AutoCloseable column : intermediates) {
      try {
        column.close();
      } catch (Exception e) {
        throw new IllegalStateException("A column could not be closed", e);
      }
    }
    intermediates.clear();
  }
}
