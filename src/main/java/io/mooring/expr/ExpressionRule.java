package io.mooring.expr;

import org.apache.spark.sql.catalyst.expressions.Expression;

/**
 * What becomes of one class of Catalyst expressions.
 *
 * @param sql the expression as users know it
 * @param conditions under which the GPU evaluates it; empty where there are none
 */
record ExpressionRule<E extends Expression>(
    Class<E> of, String sql, String conditions, Translation<E> translation) {
  /** Makes our form of an expression, whose children it translates. */
  interface Translation<E> {
    DeviceExpr apply(E expression, ExpressionTranslator translator)
        throws UnsupportedExpressionException;
  }

  DeviceExpr apply(Expression expression, ExpressionTranslator translator)
      throws UnsupportedExpressionException {
    return translation.apply(of.cast(expression), translator);
  }
}
