package io.mooring.stage;

import io.mooring.catalyst.ProductExec;
import io.mooring.catalyst.ScalaLists;
import java.util.List;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.SparkPlan;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/**
 * A leaf that stands for a child of a stage inside the plan that the stage replaced, and executes
 * that child. Spark prepares, shows and reuses the child only where it stands in the plan itself.
 */
public final class StageInputExec extends ProductExec {
  private static final long serialVersionUID = 1;

  private final transient SparkPlan child;
  // On executors, joins ask their children for columns.
  private final Seq<Attribute> output;

  @SuppressWarnings("unchecked") // Scala's type is the same
  public StageInputExec(SparkPlan child) {
    this.child = child;
    this.output = (Seq<Attribute>) child.output();
  }

  @Override
  public Seq<Attribute> output() {
    return output;
  }

  @Override
  public Seq<SparkPlan> children() {
    return ScalaLists.empty();
  }

  @Override
  public SparkPlan withNewChildrenInternal(IndexedSeq<SparkPlan> children) {
    return this;
  }

  @Override
  public SparkPlan doCanonicalize() {
    return child.canonicalized();
  }

  @Override
  public Partitioning outputPartitioning() {
    return child.outputPartitioning();
  }

  @Override
  public <T> Broadcast<T> doExecuteBroadcast() {
    return child.executeBroadcast();
  }

  @Override
  public RDD<InternalRow> doExecute() {
    return child.execute();
  }

  @Override
  public String nodeName() {
    return "StageInput";
  }

  @Override
  protected Object[] arguments() {
    return new Object[] {child};
  }

  @Override
  protected List<Object> shown() {
    return List.of(output);
  }

  /** Compares children by identity: an equal one would make a broadcast of its own. */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (child != null && other instanceof StageInputExec build && child == build.child);
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(child == null ? this : child);
  }
}
