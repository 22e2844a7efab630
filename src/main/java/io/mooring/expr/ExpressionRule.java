package io.mooring.expr;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import scala.jdk.javaapi.CollectionConverters;

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

  /** Translates the children of an expression for the {@link ExpressionRule} of its class. */
  interface ExpressionTranslator {
    /**
     * The same expression for the device.
     *
     * @throws UnsupportedExpressionException for what the GPU would not evaluate exactly as Spark
     */
    DeviceExpr translate(Expression expression) throws UnsupportedExpressionException;

    /** The same expressions, in order. */
    default List<DeviceExpr> all(scala.collection.Seq<Expression> expressions)
        throws UnsupportedExpressionException {
      List<DeviceExpr> translated = new ArrayList<>();
      for (Expression expression : CollectionConverters.asJava(expressions)) {
        translated.add(translate(expression));
      }
      return List.copyOf(translated);
    }
  }
}
