package io.mooring.stage;

import io.mooring.catalyst.ProductExec;
import io.mooring.catalyst.ScalaLists;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
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
 * A node in the place of operators that run on the GPU. What it replaced stays inside, shown by
 * EXPLAIN, over the nodes that the children of this one execute, and computes whatever the GPU
 * cannot. Sub-queries in the expressions of what it replaced are arguments of the node, because
 * Spark prepares, shows and reuses those that it finds there.
 */
abstract class StageExec extends ProductExec {
  private static final long serialVersionUID = 1;

  private final transient SparkPlan replaced;
  private final transient Seq<Expression> subqueryHolders;
  private final transient Seq<SparkPlan> inputs;
  // Plans travel to executors, where operators above ask for it.
  private final Seq<Attribute> output;
  private transient @Nullable SparkPlan bySpark;

  /**
   * @param replaced the operators, over what executes the inputs
   * @param subqueryHolders in the order of {@link SubqueryExpressions#of}, those of its expressions
   *     in which there are sub-queries
   * @param inputs the children
   */
  @SuppressWarnings("unchecked") // Scala's type is the same
  StageExec(SparkPlan replaced, Seq<Expression> subqueryHolders, Seq<SparkPlan> inputs) {
    this.replaced = replaced;
    this.subqueryHolders = subqueryHolders;
    this.inputs = inputs;
    this.output = (Seq<Attribute>) replaced.output();
  }

  /** The operators that it stands for. */
  public final SparkPlan replaced() {
    return replaced;
  }

  final Seq<Expression> subqueryHolders() {
    return subqueryHolders;
  }

  final List<SparkPlan> inputs() {
    return CollectionConverters.asJava(inputs);
  }

  /** The operators as Spark executes them. */
  final synchronized SparkPlan bySpark() {
    if (bySpark == null) {
      // With the steps that Spark adds behind the rule that makes stages.
      bySpark = new CollapseCodegenStages(new AtomicInteger()).apply(inRows(replaced));
    }
    return bySpark;
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
    // On an executor, where nothing is executed, there are none.
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

  /** None: groups come in any order, and a scan has none. */
  @Override
  public final Seq<SortOrder> outputOrdering() {
    return ScalaLists.empty();
  }

  @Override
  public final int hashCode() {
    return replaced.hashCode();
  }

  @Override
  public abstract boolean equals(@Nullable Object other);
}
