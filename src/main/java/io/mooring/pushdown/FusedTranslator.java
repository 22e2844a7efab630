package io.mooring.pushdown;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.ast.BinaryOperator;
import ai.rapids.cudf.ast.Literal;
import ai.rapids.cudf.ast.UnaryOperator;
import io.mooring.columnar.ScalarTypes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/**
 * Finds how much of a condition libcudf's expressions say exactly as {@link Expr#onRow} does. What
 * they do not say becomes an input. Needs no device; not thread-safe.
 */
final class FusedTranslator {
  // A node of its own costs about as much as a small expression.
  static final int LEAST_OPERATORS = 3;

  // As many operators keep at most 24 values of a row at a time, each of 16 bytes in libcudf's
  // shared memory; those of a block's 128 threads fill the 48 KiB that a kernel has. With more,
  // blocks shrink.
  static final int MOST_OPERATORS = 47;

  // Longer lists are looked up in a hash set.
  static final int MOST_LISTED = 8;

  private final Function<Column, DType> types;

  /**
   * @param types of the device columns
   */
  FusedTranslator(Function<Column, DType> types) {
    this.types = types;
  }

  /** A condition as one expression; null where too little would be saved. */
  @Nullable FusedCondition translate(Expr condition) {
    if (!condition.type().equals(DataTypes.BooleanType)) {
      return null;
    }
    FusedPart part = condition(condition);
    if (part.operators() < LEAST_OPERATORS) {
      return null;
    }
    Map<Expr, Integer> places = new LinkedHashMap<>();
    var expression = part.build().apply(places);
    // A table has at least one column.
    return places.isEmpty() ? null : new FusedCondition(expression, List.copyOf(places.keySet()));
  }

  private FusedPart condition(Expr expr) {
    FusedPart said = null;
    if (expr instanceof Logical logical) {
      said = logical(logical);
    } else if (expr instanceof Not not) {
      said = FusedPart.unary(UnaryOperator.NOT, child(not.child()));
    } else if (expr instanceof IsNull isNull) {
      said = isNull(isNull.child());
    } else if (expr instanceof Comparison comparison) {
      said = comparison(comparison);
    } else if (expr instanceof In in) {
      said = in(in);
    }
    return said == null ? FusedPart.input(expr) : said;
  }

  private FusedPart child(Expr child) {
    FusedPart part = condition(child);
    return part.operators() < MOST_OPERATORS ? part : FusedPart.input(child);
  }

  private @Nullable FusedPart logical(Logical logical) {
    // The device knows no shorter way to a constant, which binding leaves only where it is null.
    if (logical.left() instanceof Constant || logical.right() instanceof Constant) {
      return null;
    }
    FusedPart left = condition(logical.left());
    FusedPart right = condition(logical.right());
    while (left.operators() + right.operators() >= MOST_OPERATORS) {
      if (left.operators() >= right.operators()) {
        left = FusedPart.input(logical.left());
      } else {
        right = FusedPart.input(logical.right());
      }
    }
    boolean and = logical.operator() == Logical.Operator.AND;
    return FusedPart.binary(
        and ? BinaryOperator.NULL_LOGICAL_AND : BinaryOperator.NULL_LOGICAL_OR, left, right);
  }

  private @Nullable FusedPart isNull(Expr child) {
    if (child.type().equals(DataTypes.BooleanType)) {
      return FusedPart.unary(UnaryOperator.IS_NULL, child(child));
    }
    FusedOperand operand = FusedOperand.of(child, types);
    return operand == null ? null : FusedPart.unary(UnaryOperator.IS_NULL, operand.part());
  }

  private @Nullable FusedPart comparison(Comparison comparison) {
    FusedOperand left = FusedOperand.of(comparison.left(), types);
    FusedPart right = left == null ? null : right(comparison.right(), left.type());
    if (left == null || right == null) {
      return null;
    }
    return ScalarTypes.isFloating(comparison.left().type())
        ? FusedPart.floatingComparison(comparison.operator(), left.part(), right)
        : FusedPart.comparison(comparison.operator(), left.part(), right);
  }

  /** The other side of a comparison; null where the types differ or NaN could be on both sides. */
  private @Nullable FusedPart right(Expr expr, DType left) {
    if (expr instanceof Constant constant) {
      Literal literal = FusedLiterals.of(constant, left);
      return literal == null ? null : FusedPart.literal(literal);
    }
    FusedOperand right = FusedOperand.of(expr, types);
    if (right == null || !right.type().equals(left) || ScalarTypes.isFloating(expr.type())) {
      return null;
    }
    return right.part();
  }

  private @Nullable FusedPart in(In in) {
    FusedOperand operand = FusedOperand.of(in.child(), types);
    if (operand == null || in.orNull() || in.values().size() > MOST_LISTED) {
      return null;
    }
    FusedPart found = null;
    for (Constant candidate : in.values()) {
      FusedPart value = right(candidate, operand.type());
      if (value == null) {
        return null;
      }
      FusedPart equal = FusedPart.binary(BinaryOperator.EQUAL, operand.part(), value);
      found =
          found == null ? equal : FusedPart.binary(BinaryOperator.NULL_LOGICAL_OR, found, equal);
    }
    return found;
  }
}
