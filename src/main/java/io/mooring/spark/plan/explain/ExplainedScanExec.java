package io.mooring.spark.plan.explain;

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

/** A node above a scan that cannot be renamed: it tells why Mooring does not read the files. */
public final class ExplainedScanExec extends ProductExec {
  private static final long serialVersionUID = 1;

  private final SparkPlan scan;
  private final String reason;

  /** Spark copies the node by this. */
  public ExplainedScanExec(SparkPlan scan, String reason) {
    this.scan = scan;
    this.reason = reason;
  }

  @Override
  public RDD<InternalRow> doExecute() {
    return scan.execute();
  }

  @Override
  @SuppressWarnings("unchecked") // Scala's type is the same
  public Seq<Attribute> output() {
    return (Seq<Attribute>) scan.output();
  }

  @Override
  public Partitioning outputPartitioning() {
    return scan.outputPartitioning();
  }

  @Override
  @SuppressWarnings("unchecked") // Scala's type is the same
  public Seq<SortOrder> outputOrdering() {
    return (Seq<SortOrder>) scan.outputOrdering();
  }

  @Override
  public Seq<SparkPlan> children() {
    return ScalaLists.seq(List.of(scan));
  }

  @Override
  public SparkPlan withNewChildrenInternal(IndexedSeq<SparkPlan> children) {
    return new ExplainedScanExec(children.head(), reason);
  }

  @Override
  public SparkPlan doCanonicalize() {
    return scan.canonicalized();
  }

  @Override
  public String nodeName() {
    return "HiveScan " + reason;
  }

  @Override
  protected Object[] arguments() {
    return new Object[] {scan, reason};
  }

  @Override
  protected List<Object> shown() {
    return List.of();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ExplainedScanExec that && scan.equals(that.scan);
  }

  @Override
  public int hashCode() {
    return scan.hashCode();
  }
}
