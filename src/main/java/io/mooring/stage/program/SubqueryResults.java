package io.mooring.stage.program;

import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.execution.ScalarSubquery;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;
import scala.PartialFunction;
import scala.runtime.AbstractPartialFunction;

/** What stands for the results of scalar sub-queries when expressions are translated. */
public enum SubqueryResults {
  /** Some value of their type, to find out what is supported before they have run. */
  EXPECTED,
  /** Their values, once they have run. */
  KNOWN;

  /** An expression with literals in the place of its scalar sub-queries. */
  Expression in(Expression expression) {
    return (Expression) expression.transform(literals());
  }

  private PartialFunction<Expression, Expression> literals() {
    return new AbstractPartialFunction<>() {
      @Override
      public boolean isDefinedAt(Expression expression) {
        return expression instanceof ScalarSubquery;
      }

      @Override
      @SuppressWarnings("unchecked") // as Scala's compiler makes them
      public <A extends Expression, B> B applyOrElse(
          A expression, scala.Function1<A, B> otherwise) {
        return expression instanceof ScalarSubquery subquery
            ? (B) literal(subquery)
            : otherwise.apply(expression);
      }
    };
  }

  private Literal literal(ScalarSubquery subquery) {
    if (this == EXPECTED) {
      return anyOf(subquery.dataType());
    }
    @Nullable Object value = subquery.eval(null);
    return new Literal(value, subquery.dataType());
  }

  /** By reflection, because the method's name is a word of Java. */
  private static Literal anyOf(DataType type) {
    try {
      return (Literal) Literal.class.getMethod("default", DataType.class).invoke(null, type);
    } catch (ReflectiveOperationException e) {
      // A type that no literal is of.
      return new Literal(null, type);
    }
  }
}
