package io.mooring.stage.replicated;

import io.mooring.catalyst.LazyValue;
import io.mooring.catalyst.ProductExec;
import io.mooring.catalyst.ScalaLists;
import io.mooring.catalyst.TreeNodes;
import io.mooring.metrics.StageNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.Dependency;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.BindReferences;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.package$;
import org.apache.spark.sql.catalyst.plans.QueryPlan;
import org.apache.spark.sql.catalyst.plans.physical.BroadcastMode;
import org.apache.spark.sql.catalyst.plans.physical.BroadcastPartitioning;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.CoalesceExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import org.apache.spark.sql.execution.exchange.BroadcastExchangeExec;
import org.apache.spark.sql.execution.joins.HashJoin;
import org.apache.spark.sql.execution.joins.HashedRelationBroadcastMode;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The build side of a broadcast hash join that every executor reads itself. Its partitioning is
 * that of a broadcast, so that Spark adds no exchange; each executor makes the broadcast's value
 * when it is first asked for. Thread-safe as other nodes are.
 */
public final class ReplicatedExec extends ProductExec {
  private static final long serialVersionUID = 1;
  private static final Logger LOG = LoggerFactory.getLogger(ReplicatedExec.class);

  private final transient SparkPlan child;
  private final transient Seq<Expression> keys;
  private final transient BuildSize size;
  private final transient ReplacedExchange replaced;
  // On executors, joins ask their children for columns.
  private final Seq<Attribute> output;
  private final transient LazyValue<ReplicatedMetrics> metrics =
      new LazyValue<>(() -> ReplicatedMetrics.create(sparkContext()));
  private final transient LazyValue<Broadcast<?>> broadcast = new LazyValue<>(this::shared);

  /**
   * Spark copies the node by this.
   *
   * @param child computes the rows, without an exchange
   * @param keys of the join, over the child's columns
   * @param replaced what Spark would plan for the build side
   */
  @SuppressWarnings("unchecked") // Scala's type is the same
  public ReplicatedExec(
      SparkPlan child, Seq<Expression> keys, BuildSize size, ReplacedExchange replaced) {
    this.child = child;
    this.keys = keys;
    this.size = size;
    this.replaced = replaced;
    this.output = (Seq<Attribute>) child.output();
  }

  /** The plan that every executor computes. */
  public SparkPlan child() {
    return child;
  }

  /** What Spark would plan for the build side. */
  public ReplacedExchange replaced() {
    return replaced;
  }

  @Override
  public Seq<Attribute> output() {
    return output;
  }

  @Override
  public Seq<SparkPlan> children() {
    // Executors get the node without its child.
    return child == null ? ScalaLists.empty() : ScalaLists.seq(List.of(child));
  }

  @Override
  public SparkPlan withNewChildrenInternal(IndexedSeq<SparkPlan> children) {
    return new ReplicatedExec(
        CoalesceBelowAggregates.coalesce(children.head()), keys, size, replaced);
  }

  /** Normalizes the keys to the ordinals of their columns. */
  @Override
  public SparkPlan doCanonicalize() {
    List<Expression> normalized = new ArrayList<>();
    for (Expression key : CollectionConverters.asJava(keys)) {
      normalized.add(QueryPlan.normalizeExpressions(key, package$.MODULE$.AttributeSeq(output)));
    }
    return new ReplicatedExec(child.canonicalized(), ScalaLists.seq(normalized), size, replaced);
  }

  @Override
  public Partitioning outputPartitioning() {
    return new BroadcastPartitioning(mode());
  }

  /** The mode that the join requires: its keys, bound to the child's columns. */
  private BroadcastMode mode() {
    return new HashedRelationBroadcastMode(
        BindReferences.bindReferences(
            HashJoin.rewriteKeyExpr(keys), package$.MODULE$.AttributeSeq(output)),
        false);
  }

  @Override
  public scala.collection.immutable.Map<String, SQLMetric> metrics() {
    return metrics.get().all();
  }

  @Override
  @SuppressWarnings("unchecked") // Spark's joins ask for the relation that the mode makes
  public <T> Broadcast<T> doExecuteBroadcast() {
    Broadcast<?> created = broadcast.get();
    if (created instanceof ReplicatedBroadcast replicated) {
      ExecutionBroadcasts.use(sparkContext(), replicated);
    }
    return (Broadcast<T>) created;
  }

  /**
   * Starts to execute the build side, as Spark's broadcasts do. The driver needs milliseconds for
   * each, and executes those of a query side by side.
   */
  @Override
  public void doPrepare() {
    // The calling thread starts sub-queries and build sides below: only it has all of the session.
    child.prepare();
    // A new thread inherits the properties of the query and the active session.
    Thread thread = new Thread(this::executeEarly, "mooring-build-side");
    thread.setDaemon(true);
    try {
      thread.start();
    } catch (OutOfMemoryError e) {
      LOG.debug("A build side is executed when it is needed: there is no thread", e);
    }
  }

  private void executeEarly() {
    try {
      broadcast.get();
    } catch (Throwable e) {
      LOG.debug("Who needs the build side finds its error, too", e);
    }
  }

  private Broadcast<?> shared() {
    return ExecutionBroadcasts.shared(sparkContext(), canonicalized(), this::executed);
  }

  private Broadcast<?> executed() {
    RDD<InternalRow> rows = child.execute();
    return isNarrow(rows)
        ? ReplicatedBroadcast.create(sparkContext(), rows, mode(), size, replaced, metrics.get())
        : exchanged();
  }

  /** Whether one task can compute any partition alone: there is no shuffle below. */
  private static boolean isNarrow(RDD<?> rdd) {
    for (Dependency<?> dependency : CollectionConverters.asJava(rdd.dependencies())) {
      if (dependency instanceof ShuffleDependency<?, ?, ?> || !isNarrow(dependency.rdd())) {
        return false;
      }
    }
    return true;
  }

  /**
   * Spark's own broadcast, where it has planned an unexpected exchange below, so that a task cannot
   * compute the rows alone.
   */
  private Broadcast<?> exchanged() {
    LOG.warn("A build side turned out to have an exchange; Spark broadcasts it: {}", this);
    return new BroadcastExchangeExec(mode(), child).executeBroadcast();
  }

  /** The child's rows, where rows are needed instead of a broadcast. */
  @Override
  public RDD<InternalRow> doExecute() {
    return child.execute();
  }

  @Override
  public String nodeName() {
    return StageNode.REPLICATED.label();
  }

  @Override
  protected Object[] arguments() {
    return new Object[] {child, keys, size, replaced};
  }

  @Override
  protected List<Object> shown() {
    return List.of(keys, "reads the build side on every executor", size);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (child != null
            && other instanceof ReplicatedExec replicated
            && child.equals(replicated.child)
            && keys.equals(replicated.keys)
            && replaced == replicated.replaced);
  }

  @Override
  public int hashCode() {
    return child == null ? System.identityHashCode(this) : 31 * child.hashCode() + keys.hashCode();
  }

  /**
   * Coalesces partitions below final aggregates, which then need no exchange: one task computes all
   * of a build side anyway.
   */
  private static final class CoalesceBelowAggregates {
    private CoalesceBelowAggregates() {}

    /** The plan with a single partition below each final aggregate. */
    static SparkPlan coalesce(SparkPlan plan) {
      return TreeNodes.mapChildren(
          plan,
          child -> {
            SparkPlan below = coalesce(child);
            return isMet(plan, below) ? below : gathered(below, plan);
          });
    }

    private static SparkPlan gathered(SparkPlan rows, SparkPlan aggregate) {
      CoalesceExec gathered = new CoalesceExec(1, rows);
      // Adaptive execution would refuse a plan with a node that has no logical link.
      if (aggregate.logicalLink().isDefined()) {
        gathered.setLogicalLink(aggregate.logicalLink().get());
      }
      return gathered;
    }

    /**
     * Whether a child's partitioning satisfies an aggregate. Spark ensures that of other operators.
     */
    private static boolean isMet(SparkPlan plan, SparkPlan child) {
      return !(plan instanceof BaseAggregateExec)
          || child.outputPartitioning().satisfies(plan.requiredChildDistribution().head());
    }
  }
}
