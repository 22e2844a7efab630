package io.mooring.stage;

import io.mooring.catalyst.LazyValue;
import io.mooring.catalyst.ScalaLists;
import io.mooring.datasource.ScanReaderFactory;
import io.mooring.metrics.StageNode;
import io.mooring.stage.program.StageChain;
import io.mooring.stage.program.StageProgram;
import io.mooring.stage.program.SubqueryFilters;
import io.mooring.stage.program.SubqueryResults;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.metric.SQLMetric;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A part of a query stage on the GPU: the operators over one scan of Mooring, from decoded files to
 * the rows for the exchange. The build sides of its joins are its children, bottom first.
 */
public final class MooringStageExec extends StageExec {
  private static final long serialVersionUID = 1;

  private final String end;
  // Executors get the node without them.
  private final transient LazyValue<StageMetrics> metrics =
      new LazyValue<>(() -> StageMetrics.create(sparkContext(), chain()));

  /** A node that replaces a chain of operators over a scan of Mooring. */
  public static MooringStageExec of(SparkPlan operators, String end) {
    List<SparkPlan> buildSides = BuildSides.of(operators);
    // Sub-queries of the build sides are theirs.
    SparkPlan replaced = BuildSides.with(operators, buildSides);
    return new MooringStageExec(
        replaced, SubqueryExpressions.of(replaced), ScalaLists.seq(buildSides), end);
  }

  /**
   * Spark copies the node by this, and replaces children, and sub-queries in expressions among the
   * arguments.
   *
   * @param replaced the operators as planned
   * @param subqueryHolders see {@link StageExec}
   * @param buildSides execute the broadcasts of the joins, bottom first
   * @param end why the stage ends where it does; empty at an exchange that has no reason
   */
  public MooringStageExec(
      SparkPlan replaced, Seq<Expression> subqueryHolders, Seq<SparkPlan> buildSides, String end) {
    super(
        BuildSides.with(
            SubqueryExpressions.with(replaced, subqueryHolders),
            CollectionConverters.asJava(buildSides)),
        subqueryHolders,
        buildSides);
    this.end = end;
  }

  @Override
  public SparkPlan withNewChildrenInternal(IndexedSeq<SparkPlan> children) {
    return new MooringStageExec(replaced(), subqueryHolders(), children.toList(), end);
  }

  @Override
  public SparkPlan doCanonicalize() {
    return replaced().canonicalized();
  }

  @Override
  public scala.collection.immutable.Map<String, SQLMetric> metrics() {
    return metrics.get().all();
  }

  private StageChain chain() {
    return Objects.requireNonNull(StageChain.over(replaced()), "The stage is over no scan");
  }

  @Override
  public RDD<InternalRow> doExecute() {
    // This runs the sub-queries, whose results the program needs.
    RDD<InternalRow> rows = bySpark().execute();
    StageChain chain = chain();
    StageChain.Supported supported = chain.whole(SubqueryResults.KNOWN);
    if (supported == null) {
      return rows;
    }
    return new StageRdd(
        rows,
        readers(chain, supported.program()),
        supported.program(),
        BuildSides.broadcasts(inputs()),
        metrics.get());
  }

  /** The readers of the scan, which the results of sub-queries prune too. */
  private static ScanReaderFactory readers(StageChain chain, StageProgram program) {
    ScanReaderFactory readers = (ScanReaderFactory) chain.scan().readerFactory();
    boolean ofSpark = readers.context().files().iceberg() == null;
    return readers.prunedBy(SubqueryFilters.of(chain, program, ofSpark));
  }

  @Override
  public String nodeName() {
    return StageNode.STAGE.label();
  }

  @Override
  protected Object[] arguments() {
    return new Object[] {replaced(), subqueryHolders(), children(), end};
  }

  @Override
  protected List<Object> shown() {
    return List.of(end);
  }

  @Override
  public String simpleString(int maxFields) {
    StageChain chain = chain();
    String operators =
        chain.operators().stream().map(SparkPlan::nodeName).collect(Collectors.joining(", "));
    String ended = end.isEmpty() ? "" : " " + end;
    return nodeName()
        + " ["
        + operators
        + "]"
        + ended
        + " over "
        + chain.scan().simpleString(maxFields);
  }

  @Override
  boolean isSame(Object other) {
    return other instanceof MooringStageExec stage
        && replaced().equals(stage.replaced())
        && end.equals(stage.end);
  }
}
