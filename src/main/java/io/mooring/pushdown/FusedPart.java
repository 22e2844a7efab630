package io.mooring.pushdown;

import ai.rapids.cudf.ast.AstExpression;
import ai.rapids.cudf.ast.BinaryOperation;
import ai.rapids.cudf.ast.BinaryOperator;
import ai.rapids.cudf.ast.ColumnReference;
import ai.rapids.cudf.ast.Literal;
import ai.rapids.cudf.ast.UnaryOperation;
import ai.rapids.cudf.ast.UnaryOperator;
import java.util.Map;
import java.util.function.Function;

/**
 * A part of an expression of libcudf, built only once it is known to stay in it.
 *
 * @param operators in it
 * @param build makes it, given the places of the inputs in the table, to which it adds its own
 */
record FusedPart(int operators, Function<Map<Expr, Integer>, AstExpression> build) {

  static FusedPart input(Expr expr) {
    return new FusedPart(
        0,
        places -> {
          int next = places.size();
          Integer known = places.putIfAbsent(expr, next);
          return new ColumnReference(known == null ? next : known);
        });
  }

  static FusedPart literal(Literal literal) {
    return new FusedPart(0, places -> literal);
  }

  static FusedPart unary(UnaryOperator operator, FusedPart child) {
    return new FusedPart(
        child.operators + 1, places -> new UnaryOperation(operator, child.build.apply(places)));
  }

  static FusedPart binary(BinaryOperator operator, FusedPart left, FusedPart right) {
    return new FusedPart(
        left.operators + right.operators + 1,
        places -> {
          AstExpression first = left.build.apply(places);
          return new BinaryOperation(operator, first, right.build.apply(places));
        });
  }

  static FusedPart comparison(Comparison.Operator operator, FusedPart left, FusedPart right) {
    return binary(
        switch (operator) {
          case EQUAL -> BinaryOperator.EQUAL;
          case LESS -> BinaryOperator.LESS;
          case LESS_OR_EQUAL -> BinaryOperator.LESS_EQUAL;
          case GREATER -> BinaryOperator.GREATER;
          case GREATER_OR_EQUAL -> BinaryOperator.GREATER_EQUAL;
        },
        left,
        right);
  }

  /**
   * A comparison in Spark's order of floating-point numbers. NaN on the left is greater than any
   * number, and libcudf finds every comparison with it false: so the opposite is asked for.
   *
   * @param number never NaN
   */
  static FusedPart floatingComparison(
      Comparison.Operator operator, FusedPart left, FusedPart number) {
    return switch (operator) {
      case GREATER ->
          unary(UnaryOperator.NOT, comparison(Comparison.Operator.LESS_OR_EQUAL, left, number));
      case GREATER_OR_EQUAL ->
          unary(UnaryOperator.NOT, comparison(Comparison.Operator.LESS, left, number));
      default -> comparison(operator, left, number);
    };
  }
}
