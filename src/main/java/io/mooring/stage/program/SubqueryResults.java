package io.mooring.stage.program;

import io.mooring.catalyst.FailingConstants;
import io.mooring.catalyst.TreeNodes;
import io.mooring.catalyst.TreePatterns;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.execution.ScalarSubquery;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;

/** The values that stand for scalar sub-queries when expressions are translated. */
public enum SubqueryResults {
  /** Any value of their type, to find out what is supported before they have run. */
  EXPECTED,
  /** Their values, once they have run. */
  KNOWN;

  /** The expression with literals for its scalar sub-queries, and for what is computed of these. */
  Expression in(Expression expression) {
    return TreePatterns.mayHoldSubquery(expression)
        ? TreeNodes.replaced(
            alone(expression), it -> FailingConstants.isConstant(it) ? constant(it) : null)
        : expression;
  }

  /** The expression with literals for its scalar sub-queries alone. */
  Expression alone(Expression expression) {
    return TreeNodes.replaced(
        expression, it -> it instanceof ScalarSubquery subquery ? literal(subquery) : null);
  }

  /** Null for a constant that raises an error, which only a row that needs it may do. */
  private @Nullable Literal constant(Expression part) {
    return this == EXPECTED ? anyOf(part.dataType()) : FailingConstants.computed(part);
  }

  private Literal literal(ScalarSubquery subquery) {
    if (this == EXPECTED) {
      return anyOf(subquery.dataType());
    }
    @Nullable Object value = subquery.eval(null);
    return new Literal(value, subquery.dataType());
  }

  /** A default literal, by reflection: the method is named by a keyword of Java. */
  private static Literal anyOf(DataType type) {
    try {
      return (Literal) Literal.class.getMethod("default", DataType.class).invoke(null, type);
    } catch (ReflectiveOperationException e) {
      // The type has no default literal.
      return new Literal(null, type);
    }
  }
}
