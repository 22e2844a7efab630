package io.mooring.expr;

import org.apache.spark.sql.catalyst.expressions.Expression;

/**
 * The translation of one class of Catalyst expressions.
 *
 * @param sql the expression in SQL
 * @param conditions under which the GPU evaluates it; empty where there are none
 */
record ExpressionRule<E extends Expression>(
    Class<E> of, String sql, String conditions, Translation<E> translation) {
  /** Translates an expression and its children. */
  interface Translation<E> {
    DeviceExpr apply(E expression, ExpressionTranslator translator)
        throws UnsupportedExpressionException;
  }

  DeviceExpr apply(Expression expression, ExpressionTranslator translator)
      throws UnsupportedExpressionException {
    return translation.apply(of.cast(expression), translator);
  }
}
