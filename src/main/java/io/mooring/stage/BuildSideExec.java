package io.mooring.stage;

import java.util.List;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.SparkPlan;
import org.jspecify.annotations.Nullable;
import scala.collection.Iterator;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A broadcast inside of a stage, which a child of the stage executes. It is no parent of that
 * child: Spark prepares, shows and reuses the broadcast where it stands in the plan, and once.
 */
public final class BuildSideExec extends SparkPlan {
  private static final long serialVersionUID = 1;

  private final transient SparkPlan child;
  // Joins travel to executors with what they are over, and ask it for its columns there.
  private final Seq<Attribute> output;

  @SuppressWarnings("unchecked") // Scala's type is the same
  public BuildSideExec(SparkPlan child) {
    this.child = child;
    this.output = (Seq<Attribute>) child.output();
  }

  @Override
  public Seq<Attribute> output() {
    return output;
  }

  @Override
  public Seq<SparkPlan> children() {
    return CollectionConverters.asScala(List.<SparkPlan>of()).toList();
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
    throw new UnsupportedOperationException("A broadcast has no rows of its own");
  }

  @Override
  public String nodeName() {
    return "BuildSide";
  }

  @Override
  public Iterator<Object> stringArgs() {
    return CollectionConverters.<Object>asScala(List.<Object>of(output).iterator());
  }

  @Override
  public int productArity() {
    return 1;
  }

  @Override
  public Object productElement(int at) {
    return child;
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof BuildSideExec;
  }

  /** Of the very same child: one that is equal would make a broadcast of its own. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof BuildSideExec build && child == build.child;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(child);
  }
}
