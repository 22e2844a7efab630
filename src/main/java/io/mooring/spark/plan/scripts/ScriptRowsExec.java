package io.mooring.spark.plan.scripts;

import io.mooring.catalyst.ProductExec;
import io.mooring.catalyst.ScalaLists;
import java.util.List;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.SparkPlan;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/** The rows below a script, whichever threads read them; see {@link ScriptRowsRdd}. */
public final class ScriptRowsExec extends ProductExec {
  private static final long serialVersionUID = 1;

  private final SparkPlan child;

  /** Spark copies the node by this. */
  public ScriptRowsExec(SparkPlan child) {
    this.child = child;
  }

  @Override
  public RDD<InternalRow> doExecute() {
    return new ScriptRowsRdd(child.execute());
  }

  @Override
  @SuppressWarnings("unchecked") // Scala's type is the same
  public Seq<Attribute> output() {
    return (Seq<Attribute>) child.output();
  }

  @Override
  public Partitioning outputPartitioning() {
    return child.outputPartitioning();
  }

  @Override
  @SuppressWarnings("unchecked") // Scala's type is the same
  public Seq<SortOrder> outputOrdering() {
    return (Seq<SortOrder>) child.outputOrdering();
  }

  @Override
  public Seq<SparkPlan> children() {
    return ScalaLists.seq(List.of(child));
  }

  @Override
  public SparkPlan withNewChildrenInternal(IndexedSeq<SparkPlan> children) {
    return new ScriptRowsExec(children.head());
  }

  @Override
  public SparkPlan doCanonicalize() {
    return child.canonicalized();
  }

  @Override
  public String nodeName() {
    return "ScriptRows";
  }

  @Override
  protected Object[] arguments() {
    return new Object[] {child};
  }

  @Override
  protected List<Object> shown() {
    return List.of();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ScriptRowsExec that && child.equals(that.child);
  }

  @Override
  public int hashCode() {
    return child.hashCode();
  }
}
