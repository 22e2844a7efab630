package io.mooring.pushdown;

import ai.rapids.cudf.BinaryOp;
import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.Scalar;
import io.mooring.columnar.CudfTypes;
import io.mooring.columnar.ScalarTypes;

/**
 * Values of expressions for all rows of a device table, with the same semantics as {@link
 * Expr#onRow}. Uses the per-thread stream of the calling thread; the caller closes what it gets.
 * Conditions of CASE are kept until it is closed.
 */
public final class DeviceEvaluator implements AutoCloseable {
  private final DeviceColumns columns;
  private final Conditions conditions = new Conditions();
  private final FusedTranslator fusing;

  public DeviceEvaluator(DeviceColumns columns) {
    this.columns = columns;
    this.fusing = new FusedTranslator(column -> columns.column(column.name()).getType());
  }

  DeviceColumns columns() {
    return columns;
  }

  /** The values of one expression. */
  public static ColumnVector values(Expr expr, DeviceColumns columns) {
    try (DeviceEvaluator evaluator = new DeviceEvaluator(columns)) {
      return evaluator.values(expr);
    }
  }

  /** The values of an expression: of a condition in one kernel where that saves some. */
  public ColumnVector values(Expr expr) {
    FusedCondition fused = columns.rows() == 0 ? null : fusing.translate(expr);
    return fused == null ? ofNode(expr) : fused.values(this);
  }

  private ColumnVector ofNode(Expr expr) {
    if (expr instanceof Column column) {
      return columns.column(column.name()).incRefCount();
    } else if (expr instanceof Constant constant) {
      return repeated(constant);
    } else if (expr instanceof Comparison comparison) {
      return comparison(comparison);
    } else if (expr instanceof Logical logical) {
      return binary(logical.left(), logical.right(), DeviceOperators.of(logical.operator()));
    } else if (expr instanceof Arithmetic arithmetic) {
      return binary(
          arithmetic.left(), arithmetic.right(), DeviceOperators.of(arithmetic.operator()));
    } else if (expr instanceof IfElse branches) {
      return chosen(branches);
    } else if (expr instanceof In in) {
      try (ColumnVector column = values(in.child())) {
        return DeviceLists.in(column, in);
      }
    }
    return ofOneChild(expr);
  }

  private ColumnVector ofOneChild(Expr expr) {
    try (ColumnVector child = values(expr.children().get(0))) {
      if (expr instanceof Not) {
        return child.not();
      } else if (expr instanceof IsNull) {
        return child.isNull();
      } else if (expr instanceof TextMatch match) {
        return matched(child, match);
      } else if (expr instanceof Widened widened) {
        return child.castTo(CudfTypes.of(widened.type()));
      } else if (expr instanceof Unscaled) {
        return unscaled(child);
      }
      throw new IllegalArgumentException("No evaluation on the device of " + expr);
    }
  }

  private ColumnVector repeated(Constant constant) {
    try (Scalar scalar = CudfTypes.scalar(constant.value(), CudfTypes.of(constant.type()))) {
      return ColumnVector.fromScalar(scalar, columns.rows());
    }
  }

  private ColumnVector chosen(IfElse branches) {
    ColumnVector fulfilled = conditions.of(branches.condition(), this);
    try (ColumnVector then = values(branches.then());
        Operand otherwise = operand(branches.otherwise(), then.getType())) {
      return otherwise.value() instanceof Scalar constant
          ? fulfilled.ifElse(then, constant)
          : fulfilled.ifElse(then, (ColumnVector) otherwise.value());
    }
  }

  /** Of the left side's type, where the operator has no other. */
  private ColumnVector binary(Expr left, Expr right, BinaryOp operator) {
    try (ColumnVector a = values(left);
        Operand b = operand(right, a.getType())) {
      return a.binaryOp(operator, b.value(), a.getType());
    }
  }

  private ColumnVector comparison(Comparison comparison) {
    try (ColumnVector a = values(comparison.left());
        Operand b = operand(comparison.right(), a.getType())) {
      if (ScalarTypes.isFloating(comparison.left().type())) {
        return floating(comparison, a, b);
      }
      return a.binaryOp(DeviceOperators.of(comparison.operator()), b.value(), DType.BOOL8);
    }
  }

  private ColumnVector floating(Comparison comparison, ColumnVector a, Operand b) {
    if (comparison.right() instanceof Constant constant && isNumber(constant)) {
      return FloatingComparison.withNumber(comparison.operator(), a, b);
    }
    try (ColumnVector right = values(comparison.right())) {
      return FloatingComparison.compare(comparison.operator(), a, b, right);
    }
  }

  private static boolean isNumber(Constant constant) {
    return constant.value() instanceof Number number && !Double.isNaN(number.doubleValue());
  }

  /** The right side of an operation, as the type of the left. */
  private Operand operand(Expr expr, DType left) {
    return expr instanceof Constant constant
        ? Operand.of(constant, left)
        : Operand.of(values(expr), left);
  }

  private static ColumnVector matched(ColumnVector text, TextMatch match) {
    try (Scalar wanted = Scalar.fromUTF8String(match.pattern().getBytes())) {
      return switch (match.kind()) {
        case STARTS_WITH -> text.startsWith(wanted);
        case ENDS_WITH -> text.endsWith(wanted);
        case CONTAINS -> text.stringContains(wanted);
      };
    }
  }

  /** Decimals of a file can be of any width that holds them. */
  private static ColumnVector unscaled(ColumnVector decimals) {
    DType wide = DType.create(DType.DTypeEnum.DECIMAL64, decimals.getType().getScale());
    try (ColumnVector same =
            decimals.getType().equals(wide) ? decimals.incRefCount() : decimals.castTo(wide);
        ColumnView longs = same.bitCastTo(DType.INT64)) {
      return longs.copyToColumnVector();
    }
  }

  @Override
  public void close() {
    conditions.close();
  }
}
