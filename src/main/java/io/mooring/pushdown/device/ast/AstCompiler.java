package io.mooring.pushdown.device.ast;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.ast.BinaryOperator;
import ai.rapids.cudf.ast.Literal;
import ai.rapids.cudf.ast.UnaryOperator;
import io.mooring.columnar.ScalarTypes;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/**
 * Compiles conditions to cudf's AST, as far as it gives exactly what {@link Expr#onRow} gives.
 * Other parts of a condition become inputs, evaluated as columns first. Needs no device; not
 * thread-safe.
 */
public final class AstCompiler {
  // A kernel for each of fewer operators takes about as long as the one of an AST.
  static final int MIN_OPERATORS = 3;

  // Up to here an AST keeps at most 24 intermediate values of 16 bytes for a row in shared memory.
  // With 128 threads a block that fills the 48 KiB of a kernel; with more operators blocks shrink.
  static final int MAX_OPERATORS = 47;

  // Longer lists are looked up in a hash set.
  static final int MAX_LIST = 8;

  private final Function<Column, DType> types;

  /**
   * @param types of the device columns
   */
  public AstCompiler(Function<Column, DType> types) {
    this.types = types;
  }

  /** The compiled condition; null where too little would be saved. */
  public @Nullable CompiledPredicate translate(Expr condition) {
    if (!condition.type().equals(DataTypes.BooleanType)) {
      return null;
    }
    AstNode part = condition(condition);
    if (part.operators() < MIN_OPERATORS) {
      return null;
    }
    Map<Expr, Integer> ordinals = new LinkedHashMap<>();
    var expression = part.build().apply(ordinals);
    // A table has at least one column.
    return ordinals.isEmpty()
        ? null
        : new CompiledPredicate(expression, List.copyOf(ordinals.keySet()));
  }

  private AstNode condition(Expr expr) {
    return expr.accept(new NodeCompiler());
  }

  private AstNode child(Expr child) {
    AstNode part = condition(child);
    return part.operators() < MAX_OPERATORS ? part : AstNode.input(child);
  }

  private @Nullable AstNode logical(Logical logical) {
    // Binding leaves a constant only where it is null, and an AST literal cannot be null.
    if (logical.left() instanceof Constant || logical.right() instanceof Constant) {
      return null;
    }
    AstNode left = condition(logical.left());
    AstNode right = condition(logical.right());
    while (left.operators() + right.operators() >= MAX_OPERATORS) {
      if (left.operators() >= right.operators()) {
        left = AstNode.input(logical.left());
      } else {
        right = AstNode.input(logical.right());
      }
    }
    boolean and = logical.operator() == Logical.Operator.AND;
    return AstNode.binary(
        and ? BinaryOperator.NULL_LOGICAL_AND : BinaryOperator.NULL_LOGICAL_OR, left, right);
  }

  private @Nullable AstNode isNull(Expr child) {
    if (child.type().equals(DataTypes.BooleanType)) {
      return AstNode.unary(UnaryOperator.IS_NULL, child(child));
    }
    AstOperand operand = AstOperand.of(child, types);
    return operand == null ? null : AstNode.unary(UnaryOperator.IS_NULL, operand.part());
  }

  private @Nullable AstNode comparison(Comparison comparison) {
    AstOperand left = AstOperand.of(comparison.left(), types);
    AstNode right = left == null ? null : right(comparison.right(), left.type());
    if (left == null || right == null) {
      return null;
    }
    return ScalarTypes.isFloating(comparison.left().type())
        ? AstNode.floatingComparison(comparison.operator(), left.part(), right)
        : AstNode.comparison(comparison.operator(), left.part(), right);
  }

  /** The other side of a comparison; null where the types differ or NaN could be on both sides. */
  private @Nullable AstNode right(Expr expr, DType left) {
    if (expr instanceof Constant constant) {
      Literal literal = AstOperand.literal(constant, left);
      return literal == null ? null : AstNode.literal(literal);
    }
    AstOperand right = AstOperand.of(expr, types);
    if (right == null || !right.type().equals(left) || ScalarTypes.isFloating(expr.type())) {
      return null;
    }
    return right.part();
  }

  private @Nullable AstNode in(In in) {
    AstOperand operand = AstOperand.of(in.child(), types);
    if (operand == null || in.orNull() || in.values().size() > MAX_LIST) {
      return null;
    }
    AstNode found = null;
    for (Constant candidate : in.values()) {
      AstNode value = right(candidate, operand.type());
      if (value == null) {
        return null;
      }
      AstNode equal = AstNode.binary(BinaryOperator.EQUAL, operand.part(), value);
      found = found == null ? equal : AstNode.binary(BinaryOperator.NULL_LOGICAL_OR, found, equal);
    }
    return found;
  }

  /** Compiles one node, or makes it an input where the AST has no equal. */
  private final class NodeCompiler implements Expr.Visitor<AstNode> {
    @Override
    public AstNode visit(Logical logical) {
      return orInput(logical(logical), logical);
    }

    @Override
    public AstNode visit(Not not) {
      return AstNode.unary(UnaryOperator.NOT, child(not.child()));
    }

    @Override
    public AstNode visit(IsNull isNull) {
      return orInput(isNull(isNull.child()), isNull);
    }

    @Override
    public AstNode visit(Comparison comparison) {
      return orInput(comparison(comparison), comparison);
    }

    @Override
    public AstNode visit(In in) {
      return orInput(in(in), in);
    }

    private AstNode orInput(@Nullable AstNode compiled, Expr expr) {
      return compiled == null ? AstNode.input(expr) : compiled;
    }

    @Override
    public AstNode visit(Column column) {
      return AstNode.input(column);
    }

    @Override
    public AstNode visit(Constant constant) {
      return AstNode.input(constant);
    }

    @Override
    public AstNode visit(CaseWhen branches) {
      return AstNode.input(branches);
    }

    @Override
    public AstNode visit(StringMatch match) {
      return AstNode.input(match);
    }

    @Override
    public AstNode visit(FloatingArithmetic arithmetic) {
      return AstNode.input(arithmetic);
    }

    @Override
    public AstNode visit(WideningCast cast) {
      return AstNode.input(cast);
    }

    @Override
    public AstNode visit(UnscaledValue unscaled) {
      return AstNode.input(unscaled);
    }
  }
}
