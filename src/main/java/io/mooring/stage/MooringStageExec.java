package io.mooring.stage;

import io.mooring.catalyst.LazyValue;
import io.mooring.catalyst.ScalaLists;
import io.mooring.metrics.StageNode;
import io.mooring.stage.program.JoinSides;
import io.mooring.stage.program.StageChain;
import io.mooring.stage.program.SubqueryResults;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;
import org.apache.spark.sql.execution.joins.HashedRelation;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.jspecify.annotations.Nullable;
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
  public static MooringStageExec of(SparkPlan replaced, String end) {
    return new MooringStageExec(
        replaced, SubqueryExpressions.of(replaced), ScalaLists.seq(BuildSides.of(replaced)), end);
  }

  /**
   * Spark copies the node by this, and replaces children, and sub-queries in expressions among the
   * arguments.
   *
   * @param replaced the operators as planned
   * @param subqueryHolders see {@link StageExec}
   * @param buildSides execute the broadcasts of the joins, bottom first
   * @param end the operator above and why the stage ends below it; empty at an exchange
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
        chain.scan().readerFactory(),
        supported.program(),
        BuildSides.broadcasts(inputs()),
        metrics.get());
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
    String ended = end.isEmpty() ? "" : " ends below: " + end;
    return nodeName()
        + " ["
        + operators
        + "]"
        + ended
        + " over "
        + chain.scan().simpleString(maxFields);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof MooringStageExec stage
        && replaced().equals(stage.replaced())
        && end.equals(stage.end);
  }

  /**
   * The nodes that execute the broadcasts of the joins in a chain of operators over a scan, bottom
   * first.
   */
  private static final class BuildSides {
    private BuildSides() {}

    /** The build sides of a chain. */
    static List<SparkPlan> of(SparkPlan chain) {
      List<SparkPlan> found = new ArrayList<>();
      for (SparkPlan node = chain; !node.children().isEmpty(); node = JoinSides.streamed(node)) {
        if (node instanceof BroadcastHashJoinExec join) {
          found.add(0, JoinSides.build(join));
        }
      }
      return found;
    }

    /**
     * The chain over nodes that delegate to the build sides. Spark copies plans that it prepares,
     * and a copy of a build side would make a broadcast of its own.
     *
     * @param buildSides as many as {@link #of} gives
     */
    static SparkPlan with(SparkPlan chain, List<SparkPlan> buildSides) {
      return buildSides.isEmpty() ? chain : with(chain, buildSides.iterator());
    }

    private static SparkPlan with(SparkPlan node, Iterator<SparkPlan> buildSides) {
      if (node.children().isEmpty()) {
        return node;
      }
      SparkPlan streamed = with(JoinSides.streamed(node), buildSides);
      return node instanceof BroadcastHashJoinExec join
          ? JoinSides.with(join, streamed, new StageInputExec(buildSides.next()))
          : JoinSides.withStreamed(node, streamed);
    }

    /** The broadcasts of the build sides. Waits until they are made. */
    static List<Broadcast<HashedRelation>> broadcasts(List<SparkPlan> buildSides) {
      List<Broadcast<HashedRelation>> broadcasts = new ArrayList<>();
      for (SparkPlan build : buildSides) {
        broadcasts.add(build.<HashedRelation>executeBroadcast());
      }
      return broadcasts;
    }
  }
}
