package io.mooring.benchmarks.worker.jvm;

import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.catalyst.plans.logical.OverwriteByExpression;
import org.apache.spark.sql.execution.CommandResultExec;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.util.QueryExecutionListener;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Collects what the scan nodes of each finished query counted, whatever those metrics are, and how
 * many exchanges its plan had in the end.
 */
final class ScanMetrics implements QueryExecutionListener {

  private static final long PATIENCE_SECONDS = 5;

  /** Metrics of Mooring's scan: files that the GPU decoded, and files that Spark's reader did. */
  private static final String GPU_FILES = "gpuFiles";

  private static final String CPU_FILES = "cpuFiles";

  /** Scan nodes of the RAPIDS Accelerator: counted here, for it counts no files. */
  private static final String PEER_SCANS = "peerScans";

  /** Metrics of single tasks that Spark adds up over tasks: the sums mean nothing. */
  private static final Set<String> MAXIMA = Set.of("requestsAtOnce", "firstBytesNanos");

  /**
   * Exchanges of the plan that ran, by the end of their class's name: the peer's begin with Gpu.
   */
  private static final Map<String, String> EXCHANGES =
      Map.of(
          "ShuffleExchangeExec", "shuffleExchanges",
          "BroadcastExchangeExec", "broadcastExchanges");

  private final LinkedBlockingQueue<Finished> finished = new LinkedBlockingQueue<>();

  /** A finished execution and what its plan counted. */
  private record Finished(QueryExecution query, Map<String, Long> counted) {}

  @Override
  public void onSuccess(String name, QueryExecution query, long nanoseconds) {
    Map<String, Long> counted = new TreeMap<>();
    EXCHANGES.values().forEach(metric -> counted.put(metric, 0L)); // none is a figure, too
    collect(query.executedPlan(), counted, Collections.newSetFromMap(new IdentityHashMap<>()));
    finished.add(new Finished(query, counted));
  }

  @Override
  public void onFailure(String name, QueryExecution query, Exception error) {
    finished.add(new Finished(query, Map.of()));
  }

  /** Drops what earlier queries left. */
  void forget() {
    finished.clear();
  }

  /**
   * The metrics of queries that have just ended, copies of one, by name: sums over the copies, but
   * exchanges are those of the copy with the most. Waits until Spark reports no execution for a few
   * seconds; a copy that is not reported by then is left out. Executions of a table format's own,
   * by which it chooses files, do not count.
   *
   * @param queries what was executed
   * @param written whether their rows went into the noop sink
   */
  Map<String, Long> of(Collection<QueryExecution> queries, boolean written)
      throws InterruptedException {
    Map<String, Long> all = new TreeMap<>();
    int left = queries.size();
    while (left > 0) {
      Finished one = finished.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (one == null) {
        return all;
      } else if (written ? isWrite(one.query) : isAmong(queries, one.query)) {
        left--;
        one.counted.forEach(
            (name, value) ->
                all.merge(name, value, EXCHANGES.containsValue(name) ? Math::max : Long::sum));
      }
    }
    return all;
  }

  private static boolean isWrite(QueryExecution one) {
    return one.logical() instanceof OverwriteByExpression;
  }

  private static boolean isAmong(Collection<QueryExecution> queries, QueryExecution one) {
    return queries.stream().anyMatch(query -> query == one);
  }

  /** The decoder: {@code gpu}, {@code cpu}, or {@code mixed} when some files fell back. */
  static String engine(Map<String, Long> counted) {
    boolean gpu =
        counted.getOrDefault(GPU_FILES, 0L) > 0 || counted.getOrDefault(PEER_SCANS, 0L) > 0;
    boolean cpu = counted.getOrDefault(CPU_FILES, 0L) > 0;
    return gpu && cpu ? "mixed" : gpu ? "gpu" : "cpu";
  }

  private static void collect(SparkPlan plan, Map<String, Long> counted, Set<SparkPlan> visited) {
    if (!visited.add(plan)) {
      return;
    }
    count(plan, counted);
    CollectionConverters.asJava(plan.children()).forEach(child -> collect(child, counted, visited));
    CollectionConverters.asJava(plan.subqueries()).forEach(sub -> collect(sub, counted, visited));
    if (plan instanceof AdaptiveSparkPlanExec adaptive) {
      collect(adaptive.executedPlan(), counted, visited);
    } else if (plan instanceof QueryStageExec stage) {
      collect(stage.plan(), counted, visited);
    } else if (plan instanceof CommandResultExec command) {
      collect(command.commandPhysicalPlan(), counted, visited);
    }
  }

  /**
   * Adds the metrics of one node. A reused exchange is not counted: its node has another name and
   * no children.
   */
  private static void count(SparkPlan plan, Map<String, Long> counted) {
    if (isScan(plan)) {
      CollectionConverters.asJava(plan.metrics())
          .forEach((name, metric) -> add(counted, name, metric.value()));
    }
    if (isPeerScan(plan.nodeName())) {
      counted.merge(PEER_SCANS, 1L, Long::sum);
    }
    exchange(plan.getClass().getSimpleName())
        .ifPresent(metric -> counted.merge(metric, 1L, Long::sum));
  }

  private static void add(Map<String, Long> counted, String metric, long value) {
    if (!MAXIMA.contains(metric)) {
      counted.merge(metric, Math.max(0, value), Long::sum);
    }
  }

  /** The metric that counts exchanges of a class; empty for every other node. */
  static Optional<String> exchange(String className) {
    return EXCHANGES.entrySet().stream()
        .filter(exchange -> className.endsWith(exchange.getKey()))
        .map(Map.Entry::getValue)
        .findFirst();
  }

  private static boolean isScan(SparkPlan plan) {
    String name = plan.nodeName().toLowerCase(Locale.ROOT);
    return name.startsWith("batchscan")
        || name.startsWith("scan ")
        || name.contains("mooring")
        || isPeerScan(plan.nodeName());
  }

  static boolean isPeerScan(String nodeName) {
    return nodeName.startsWith("Gpu") && nodeName.contains("Scan");
  }
}
