package io.mooring.datasource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.GeneralScalarExpression;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.filter.And;
import org.apache.spark.sql.connector.expressions.filter.Not;
import org.apache.spark.sql.connector.expressions.filter.Or;
import org.apache.spark.sql.connector.expressions.filter.Predicate;

/**
 * The canonical form of predicates: operands are in one order, whatever the query's, so that scans
 * of the same rows are equal and Spark reuses the exchange above one. Spark's own scans compare
 * their conditions in such a form, which these predicates have lost: for two uses of a table, Spark
 * often infers the same alternatives in different orders.
 */
final class CanonicalPredicates {
  private static final Comparator<Expression> LITERALS_LAST =
      Comparator.comparing((Expression it) -> it instanceof Literal<?>)
          .thenComparing(Expression::toString);

  /** The comparison that is equivalent to each one after its two operands are swapped. */
  private static final Map<String, String> MIRRORED =
      Map.of("=", "=", "<>", "<>", "<=>", "<=>", "<", ">", ">", "<", "<=", ">=", ">=", "<=");

  private CanonicalPredicates() {}

  /** The canonical forms of predicates that must all be true, in one order. */
  static Predicate[] of(List<Predicate> predicates) {
    return sorted(predicates.stream().map(CanonicalPredicates::of).toList())
        .toArray(Predicate[]::new);
  }

  /** The canonical form of a predicate. */
  static Predicate of(Predicate predicate) {
    if (predicate instanceof And) {
      return joined(operands(predicate, And.class), And::new);
    } else if (predicate instanceof Or) {
      return joined(operands(predicate, Or.class), Or::new);
    } else if (predicate instanceof Not not) {
      return new Not(of(not.child()));
    } else if (predicate.getClass() != Predicate.class) {
      return predicate;
    }
    Expression[] children = children(predicate);
    if (predicate.name().equals("IN")) {
      Arrays.sort(children, 1, children.length, LITERALS_LAST);
    }
    String mirrored = MIRRORED.get(predicate.name());
    boolean swaps = mirrored != null && LITERALS_LAST.compare(children[0], children[1]) > 0;
    return swaps
        ? new Predicate(mirrored, new Expression[] {children[1], children[0]})
        : new Predicate(predicate.name(), children);
  }

  private static Expression of(Expression expression) {
    if (expression instanceof Predicate predicate) {
      return of(predicate);
    } else if (expression.getClass() != GeneralScalarExpression.class) {
      return expression;
    }
    GeneralScalarExpression general = (GeneralScalarExpression) expression;
    Expression[] children = children(general);
    // Nested sums and products are not flattened: rounding depends on which two operands are
    // combined first.
    if (general.name().equals("+") || general.name().equals("*")) {
      Arrays.sort(children, LITERALS_LAST);
    }
    return new GeneralScalarExpression(general.name(), children);
  }

  private static Expression[] children(GeneralScalarExpression parent) {
    return Arrays.stream(parent.children()).map(CanonicalPredicates::of).toArray(Expression[]::new);
  }

  /** The canonical forms of all operands of nested predicates of one kind. */
  private static List<Predicate> operands(Predicate predicate, Class<? extends Predicate> kind) {
    List<Predicate> operands = new ArrayList<>();
    for (Expression child : predicate.children()) {
      if (kind.isInstance(child)) {
        operands.addAll(operands((Predicate) child, kind));
      } else {
        operands.add(of((Predicate) child));
      }
    }
    return operands;
  }

  private static Predicate joined(List<Predicate> operands, BinaryOperator<Predicate> join) {
    return balanced(sorted(operands), join);
  }

  /** Joins halves, as Spark's parser does, so that hundreds of operands are not nested as deep. */
  private static Predicate balanced(List<Predicate> operands, BinaryOperator<Predicate> join) {
    int size = operands.size();
    return size == 1
        ? operands.get(0)
        : join.apply(
            balanced(operands.subList(0, size / 2), join),
            balanced(operands.subList(size / 2, size), join));
  }

  /** In the order of their texts, each of which is made once. */
  private static List<Predicate> sorted(List<Predicate> predicates) {
    return predicates.stream()
        .map(it -> Map.entry(it.toString(), it))
        .sorted(Map.Entry.comparingByKey())
        .map(Map.Entry::getValue)
        .toList();
  }
}
