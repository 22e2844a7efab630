package io.mooring.spark.plan.delta;

import io.mooring.catalyst.ScalaLists;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Cast$;
import org.apache.spark.sql.catalyst.expressions.Contains;
import org.apache.spark.sql.catalyst.expressions.EndsWith;
import org.apache.spark.sql.catalyst.expressions.EqualNullSafe;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GetStructField;
import org.apache.spark.sql.catalyst.expressions.GreaterThan;
import org.apache.spark.sql.catalyst.expressions.GreaterThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.In;
import org.apache.spark.sql.catalyst.expressions.InSet;
import org.apache.spark.sql.catalyst.expressions.IsNotNull;
import org.apache.spark.sql.catalyst.expressions.IsNull;
import org.apache.spark.sql.catalyst.expressions.LessThan;
import org.apache.spark.sql.catalyst.expressions.LessThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Not;
import org.apache.spark.sql.catalyst.expressions.Or;
import org.apache.spark.sql.catalyst.expressions.StartsWith;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Conditions that are true of the same rows in every query of every session: comparisons of columns
 * with constants. Others may depend on settings, or on what a function of the user sees.
 */
final class LastingConditions {
  private static final Set<Class<?>> OPERATORS =
      Set.of(
          And.class,
          Or.class,
          Not.class,
          EqualTo.class,
          EqualNullSafe.class,
          LessThan.class,
          LessThanOrEqual.class,
          GreaterThan.class,
          GreaterThanOrEqual.class,
          In.class,
          IsNull.class,
          IsNotNull.class,
          StartsWith.class,
          EndsWith.class,
          Contains.class,
          GetStructField.class,
          BoundReference.class);

  // What is kept for each condition is bounded, too.
  private static final int MOST_NODES = 200;
  private static final int MOST_BYTES = 1_000;

  private LastingConditions() {}

  /** Whether conditions over columns by ordinals are such, and not too large to be kept. */
  static boolean are(List<Expression> conditions) {
    return conditions.stream().allMatch(LastingConditions::isOne)
        && conditions.stream().mapToInt(LastingConditions::nodes).sum() <= MOST_NODES;
  }

  private static boolean isOne(Expression expression) {
    boolean is =
        OPERATORS.contains(expression.getClass())
            || (expression instanceof Literal literal && isShort(literal.value()))
            || (expression instanceof InSet set && set.hset().size() <= MOST_NODES)
            || (expression instanceof Cast cast && isPlain(cast));
    return is && children(expression).stream().allMatch(LastingConditions::isOne);
  }

  private static boolean isShort(Object value) {
    return !(value instanceof UTF8String text && text.numBytes() > MOST_BYTES)
        && !(value instanceof byte[] bytes && bytes.length > MOST_BYTES);
  }

  private static boolean isPlain(Cast cast) {
    return !Cast$.MODULE$.needsTimeZone(cast.child().dataType(), cast.dataType());
  }

  private static int nodes(Expression expression) {
    int own = expression instanceof InSet set ? set.hset().size() : 1;
    return own + children(expression).stream().mapToInt(LastingConditions::nodes).sum();
  }

  private static List<Expression> children(Expression expression) {
    return ScalaLists.list(expression.children());
  }
}
