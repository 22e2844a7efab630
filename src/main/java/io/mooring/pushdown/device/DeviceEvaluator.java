package io.mooring.pushdown.device;

import ai.rapids.cudf.BinaryOp;
import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.Scalar;
import io.mooring.columnar.CudfTypes;
import io.mooring.columnar.ScalarTypes;
import io.mooring.expr.device.InLists;
import io.mooring.pushdown.CaseWhen;
import io.mooring.pushdown.Column;
import io.mooring.pushdown.Comparison;
import io.mooring.pushdown.Constant;
import io.mooring.pushdown.Expr;
import io.mooring.pushdown.FloatingArithmetic;
import io.mooring.pushdown.In;
import io.mooring.pushdown.IsNull;
import io.mooring.pushdown.Logical;
import io.mooring.pushdown.Not;
import io.mooring.pushdown.StringMatch;
import io.mooring.pushdown.UnscaledValue;
import io.mooring.pushdown.WideningCast;
import io.mooring.pushdown.device.BinaryOps.RightOperand;
import io.mooring.pushdown.device.ast.AstCompiler;
import io.mooring.pushdown.device.ast.CompiledPredicate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates expressions for all rows of a device table, with the same semantics as {@link
 * Expr#onRow}. Uses the per-thread stream of the calling thread; the caller closes the columns that
 * it gets. Keeps the conditions of CASE until it is closed. Not thread-safe.
 */
public final class DeviceEvaluator implements AutoCloseable {
  private final DeviceColumns columns;
  private final ConditionCache conditions = new ConditionCache();
  private final AstCompiler compiler;

  public DeviceEvaluator(DeviceColumns columns) {
    this.columns = columns;
    this.compiler = new AstCompiler(column -> columns.column(column.name()).getType());
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

  /** The values of an expression; one kernel evaluates a condition if that replaces several. */
  public ColumnVector values(Expr expr) {
    CompiledPredicate compiled = columns.rows() == 0 ? null : compiler.translate(expr);
    return compiled == null
        ? expr.accept(new NodeEvaluator())
        : compiled.values(column -> columns.column(column.name()), this::values);
  }

  /** The right side of an operation, cast to the type of the left. */
  private RightOperand operand(Expr expr, DType left) {
    return expr instanceof Constant constant
        ? RightOperand.of(constant, left)
        : RightOperand.of(values(expr), left);
  }

  @Override
  public void close() {
    conditions.close();
  }

  /** Evaluates one node out of the values of its children. */
  private final class NodeEvaluator implements Expr.Visitor<ColumnVector> {
    @Override
    public ColumnVector visit(Column column) {
      return columns.column(column.name()).incRefCount();
    }

    @Override
    public ColumnVector visit(Constant constant) {
      try (Scalar scalar = CudfTypes.scalar(constant.value(), CudfTypes.of(constant.type()))) {
        return ColumnVector.fromScalar(scalar, columns.rows());
      }
    }

    @Override
    public ColumnVector visit(Comparison comparison) {
      try (ColumnVector a = values(comparison.left());
          RightOperand b = operand(comparison.right(), a.getType())) {
        if (ScalarTypes.isFloating(comparison.left().type())) {
          return floating(comparison, a, b);
        }
        return a.binaryOp(BinaryOps.binaryOp(comparison.operator()), b.value(), DType.BOOL8);
      }
    }

    private ColumnVector floating(Comparison comparison, ColumnVector a, RightOperand b) {
      if (comparison.right() instanceof Constant constant
          && constant.value() instanceof Number number
          && !Double.isNaN(number.doubleValue())) {
        return FloatingComparison.withNumber(comparison.operator(), a, b);
      }
      try (ColumnVector right = values(comparison.right())) {
        return FloatingComparison.compare(comparison.operator(), a, b, right);
      }
    }

    @Override
    public ColumnVector visit(Logical logical) {
      return binary(logical.left(), logical.right(), BinaryOps.binaryOp(logical.operator()));
    }

    @Override
    public ColumnVector visit(FloatingArithmetic arithmetic) {
      return binary(
          arithmetic.left(), arithmetic.right(), BinaryOps.binaryOp(arithmetic.operator()));
    }

    /** An operation whose result has the type of its left side. */
    private ColumnVector binary(Expr left, Expr right, BinaryOp operator) {
      try (ColumnVector a = values(left);
          RightOperand b = operand(right, a.getType())) {
        return a.binaryOp(operator, b.value(), a.getType());
      }
    }

    @Override
    public ColumnVector visit(CaseWhen branches) {
      ColumnVector fulfilled = conditions.of(branches.condition(), DeviceEvaluator.this);
      try (ColumnVector then = values(branches.then());
          RightOperand otherwise = operand(branches.otherwise(), then.getType())) {
        return otherwise.value() instanceof Scalar constant
            ? fulfilled.ifElse(then, constant)
            : fulfilled.ifElse(then, (ColumnVector) otherwise.value());
      }
    }

    @Override
    public ColumnVector visit(In in) {
      try (ColumnVector child = values(in.child())) {
        List<@Nullable Object> list = in.values().stream().map(Constant::value).toList();
        return InLists.in(child, list, child.getType(), in.orNull());
      }
    }

    @Override
    public ColumnVector visit(Not not) {
      try (ColumnVector child = values(not.child())) {
        return child.not();
      }
    }

    @Override
    public ColumnVector visit(IsNull isNull) {
      try (ColumnVector child = values(isNull.child())) {
        return child.isNull();
      }
    }

    @Override
    public ColumnVector visit(StringMatch match) {
      try (ColumnVector child = values(match.child());
          Scalar pattern = Scalar.fromUTF8String(match.pattern().getBytes())) {
        return switch (match.kind()) {
          case STARTS_WITH -> child.startsWith(pattern);
          case ENDS_WITH -> child.endsWith(pattern);
          case CONTAINS -> child.stringContains(pattern);
        };
      }
    }

    @Override
    public ColumnVector visit(WideningCast cast) {
      try (ColumnVector child = values(cast.child())) {
        return child.castTo(CudfTypes.of(cast.type()));
      }
    }

    /** Reads decimals of any width: that of a file's column is not always the narrowest. */
    @Override
    public ColumnVector visit(UnscaledValue unscaled) {
      try (ColumnVector decimals = values(unscaled.child())) {
        DType wide = DType.create(DType.DTypeEnum.DECIMAL64, decimals.getType().getScale());
        try (ColumnVector same =
                decimals.getType().equals(wide) ? decimals.incRefCount() : decimals.castTo(wide);
            ColumnView longs = same.bitCastTo(DType.INT64)) {
          return longs.copyToColumnVector();
        }
      }
    }
  }

  /** The conditions of CASE over one device table, each evaluated once. Not thread-safe. */
  private static final class ConditionCache implements AutoCloseable {
    private final Map<Expr, ColumnVector> known = new HashMap<>();

    /**
     * The values of a condition, in which {@link ColumnVector#ifElse} treats null as false. The
     * cache owns the column.
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
}
