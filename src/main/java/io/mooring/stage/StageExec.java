package io.mooring.stage;

import io.mooring.catalyst.LazyValue;
import io.mooring.catalyst.ProductExec;
import io.mooring.catalyst.ScalaLists;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.CollapseCodegenStages;
import org.apache.spark.sql.execution.ColumnarToRowExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A node that runs operators on the GPU. The operators that it replaced stay inside: EXPLAIN shows
 * them, and they compute what the GPU cannot. Their expressions with sub-queries are arguments of
 * the node, because Spark prepares, shows and reuses sub-queries that it finds there.
 */
public abstract class StageExec extends ProductExec {
  private static final long serialVersionUID = 1;

  private final transient SparkPlan replaced;
  private final transient Seq<Expression> subqueryHolders;
  private final transient Seq<SparkPlan> inputs;
  // On executors, operators above ask for it.
  private final Seq<Attribute> output;
  private final transient LazyValue<SparkPlan> bySpark = new LazyValue<>(this::executable);
  private final transient @Nullable SparkSession planningSession = activeSession();

  /**
   * @param replaced the operators, over nodes that execute the inputs
   * @param subqueryHolders the operators' expressions with sub-queries, in the order of {@link
   *     SubqueryExpressions#of}
   * @param inputs the children
   */
  @SuppressWarnings("unchecked") // Scala's type is the same
  StageExec(SparkPlan replaced, Seq<Expression> subqueryHolders, Seq<SparkPlan> inputs) {
    this.replaced = replaced;
    this.subqueryHolders = subqueryHolders;
    this.inputs = inputs;
    this.output = (Seq<Attribute>) replaced.output();
  }

  /** The operators that the node replaced. */
  public final SparkPlan replaced() {
    return replaced;
  }

  final Seq<Expression> subqueryHolders() {
    return subqueryHolders;
  }

  final List<SparkPlan> inputs() {
    return CollectionConverters.asJava(inputs);
  }

  /** The replaced operators in the form in which Spark executes them. */
  final SparkPlan bySpark() {
    return bySpark.get();
  }

  /** Nodes take the session of their thread, and a thread that executes a plan may have none. */
  private SparkPlan executable() {
    SparkSession active = activeSession();
    if (planningSession == null || planningSession == active) {
      return generated();
    }
    SparkSession.setActiveSession(planningSession);
    try {
      return generated();
    } finally {
      if (active == null) {
        SparkSession.clearActiveSession();
      } else {
        SparkSession.setActiveSession(active);
      }
    }
  }

  private static @Nullable SparkSession activeSession() {
    return SparkSession.getActiveSession().getOrElse(() -> null);
  }

  private SparkPlan generated() {
    // Spark adds these nodes after the rule that makes stages.
    return new CollapseCodegenStages(new AtomicInteger()).apply(inRows(replaced));
  }

  private static SparkPlan inRows(SparkPlan plan) {
    if (plan.children().isEmpty()) {
      return plan.supportsColumnar() ? new ColumnarToRowExec(plan) : plan;
    }
    List<SparkPlan> children =
        ScalaLists.<SparkPlan>list(plan.children()).stream().map(StageExec::inRows).toList();
    return plan.withNewChildren(ScalaLists.seq(children));
  }

  @Override
  public final Seq<Attribute> output() {
    return output;
  }

  @Override
  public final Seq<SparkPlan> children() {
    // Executors get the node without children.
    return inputs == null ? ScalaLists.empty() : inputs;
  }

  @Override
  @SuppressWarnings("rawtypes") // the parents' types, which Scala holds for one, are two for Java
  public final Seq innerChildren() {
    return ScalaLists.seq(List.of(replaced));
  }

  @Override
  public final Partitioning outputPartitioning() {
    return replaced.outputPartitioning();
  }

  /** No order: groups come in any, and a scan has none. */
  @Override
  public final Seq<SortOrder> outputOrdering() {
    return ScalaLists.empty();
  }

  // Executors get the node, in the sub-query of an expression, without its operators.
  @Override
  public final int hashCode() {
    return replaced == null ? System.identityHashCode(this) : replaced.hashCode();
  }

  @Override
  public final boolean equals(@Nullable Object other) {
    return this == other || (replaced != null && other != null && isSame(other));
  }

  /** Whether another node computes the same rows by the same operators. */
  abstract boolean isSame(Object other);
}
