package io.mooring.catalyst;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression$;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.trees.TreeNode;
import org.apache.spark.sql.execution.datasources.v2.V2ScanRelationPushDown$;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.PartialFunction;
import scala.runtime.AbstractPartialFunction;

/** Visits, copies and small constructions of Catalyst's trees. */
public final class TreeNodes {
  private TreeNodes() {}

  /** Visits a node and all below it. */
  public static <T extends TreeNode<T>> void forEach(T node, Consumer<T> visitor) {
    visitor.accept(node);
    ScalaLists.list(node.children()).forEach(child -> forEach(child, visitor));
  }

  /**
   * A copy of a chain of nodes, each with one child, over another end. Nodes are compared by
   * identity; {@code withNewChildren} would keep children that are equal.
   */
  public static <T extends TreeNode<T>> T replaceEnd(T chain, T end, T other) {
    if (chain == end) {
      return other;
    }
    T child = chain.children().head();
    T replaced = replaceEnd(child, end, other);
    return copy(chain, part -> part == child ? replaced : part);
  }

  /**
   * A copy of a node with other constructor arguments, whose number differs between Spark's
   * versions.
   */
  public static <T extends TreeNode<T>> T copy(T node, UnaryOperator<Object> argument) {
    Object[] arguments = new Object[node.productArity()];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = argument.apply(node.productElement(i));
    }
    return node.makeCopy(arguments);
  }

  /** A copy of an aggregate with other keys and results, over another child. */
  public static Aggregate aggregate(
      Aggregate like,
      List<? extends Expression> keys,
      List<? extends NamedExpression> results,
      LogicalPlan child) {
    return (Aggregate)
        copy(
            (LogicalPlan) like,
            part -> {
              if (part == like.child()) {
                return child;
              } else if (part == like.aggregateExpressions()) {
                return ScalaLists.seq(results);
              }
              return part == like.groupingExpressions() ? ScalaLists.seq(keys) : part;
            });
  }

  /** The node with other children; itself when they are equal. */
  public static <T extends TreeNode<T>> T mapChildren(T node, UnaryOperator<T> other) {
    List<T> children = ScalaLists.list(node.children());
    List<T> others = children.stream().map(other).toList();
    // Spark compares what is left by value, which takes long for large plans.
    return isSame(children, others) ? node : node.withNewChildren(ScalaLists.seq(others));
  }

  private static boolean isSame(List<?> some, List<?> others) {
    return IntStream.range(0, some.size()).allMatch(i -> some.get(i) == others.get(i));
  }

  /**
   * The expression with others in place of its parts, from the top.
   *
   * @param other gives null for what stays
   */
  public static Expression replaced(
      Expression expression, Function<Expression, @Nullable Expression> other) {
    return (Expression) expression.transform(replacement(other));
  }

  /**
   * Scala's form of a replacement, for its transformations of plans.
   *
   * @param other gives null for what stays
   */
  public static PartialFunction<Expression, Expression> replacement(
      Function<Expression, @Nullable Expression> other) {
    return new AbstractPartialFunction<>() {
      @Override
      public boolean isDefinedAt(Expression expression) {
        return other.apply(expression) != null;
      }

      @Override
      @SuppressWarnings("unchecked") // as Scala's compiler makes them
      public <A extends Expression, B> B applyOrElse(
          A expression, scala.Function1<A, B> otherwise) {
        Expression replaced = other.apply(expression);
        return replaced == null ? otherwise.apply(expression) : (B) replaced;
      }
    };
  }

  /** An alias with an id of its own. */
  public static Alias alias(Expression child, String name) {
    return alias(child, name, NamedExpression$.MODULE$.newExprId());
  }

  /** An alias with the id of a column that it takes the place of. */
  public static Alias alias(Expression child, String name, ExprId id) {
    return new Alias(
        child, name, id, ScalaLists.seq(List.of()), Option.empty(), ScalaLists.seq(List.of()));
  }

  /** The plan under a filter of all conditions; itself when there is none. */
  public static LogicalPlan filtered(LogicalPlan plan, List<Expression> conditions) {
    return conditions.stream()
        .reduce(And::new)
        .<LogicalPlan>map(condition -> new Filter(condition, plan))
        .orElse(plan);
  }

  /** The parts of a condition, split at each AND. */
  public static List<Expression> conjuncts(Expression condition) {
    return ScalaLists.list(V2ScanRelationPushDown$.MODULE$.splitConjunctivePredicates(condition));
  }
}
