package io.mooring.pushdown.device.ast;

import ai.rapids.cudf.ast.AstExpression;
import ai.rapids.cudf.ast.BinaryOperation;
import ai.rapids.cudf.ast.BinaryOperator;
import ai.rapids.cudf.ast.ColumnReference;
import ai.rapids.cudf.ast.Literal;
import ai.rapids.cudf.ast.UnaryOperation;
import ai.rapids.cudf.ast.UnaryOperator;
import io.mooring.pushdown.Comparison;
import io.mooring.pushdown.Expr;
import java.util.Map;
import java.util.function.Function;

/**
 * A node of cudf's AST, built only once the whole AST is known.
 *
 * @param operators the number of operators in it
 * @param build makes the node; takes the ordinals of the inputs in their table, and adds its own
 */
record AstNode(int operators, Function<Map<Expr, Integer>, AstExpression> build) {

  static AstNode input(Expr expr) {
    return new AstNode(
        0,
        ordinals -> {
          int next = ordinals.size();
          Integer known = ordinals.putIfAbsent(expr, next);
          return new ColumnReference(known == null ? next : known);
        });
  }

  static AstNode literal(Literal literal) {
    return new AstNode(0, ordinals -> literal);
  }

  static AstNode unary(UnaryOperator operator, AstNode child) {
    return new AstNode(
        child.operators + 1, ordinals -> new UnaryOperation(operator, child.build.apply(ordinals)));
  }

  static AstNode binary(BinaryOperator operator, AstNode left, AstNode right) {
    return new AstNode(
        left.operators + right.operators + 1,
        ordinals -> {
          AstExpression first = left.build.apply(ordinals);
          return new BinaryOperation(operator, first, right.build.apply(ordinals));
        });
  }

  static AstNode comparison(Comparison.Operator operator, AstNode left, AstNode right) {
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
   * number, but every comparison of libcudf with it is false. So the opposite is compared and
   * negated.
   *
   * @param number never NaN
   */
  static AstNode floatingComparison(Comparison.Operator operator, AstNode left, AstNode number) {
    return switch (operator) {
      case GREATER ->
          unary(UnaryOperator.NOT, comparison(Comparison.Operator.LESS_OR_EQUAL, left, number));
      case GREATER_OR_EQUAL ->
          unary(UnaryOperator.NOT, comparison(Comparison.Operator.LESS, left, number));
      default -> comparison(operator, left, number);
    };
  }
}
