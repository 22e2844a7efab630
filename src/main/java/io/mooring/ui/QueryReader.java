package io.mooring.ui;

import io.mooring.ui.QueryView.PartView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.execution.ui.SQLAppStatusListener;
import org.apache.spark.sql.execution.ui.SQLAppStatusStore;
import org.apache.spark.sql.execution.ui.SQLExecutionUIData;
import org.apache.spark.sql.execution.ui.SparkPlanGraph;
import org.apache.spark.sql.execution.ui.SparkPlanGraphEdge;
import org.apache.spark.sql.execution.ui.SparkPlanGraphNode;
import org.apache.spark.util.kvstore.KVStore;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/** Reads queries from the store of Spark's own SQL tab, and adds Mooring's reports about them. */
final class QueryReader {
  // Frames around operators.
  private static final List<String> FRAMES = List.of("WholeStageCodegen", "AdaptiveSparkPlan");

  private final SQLAppStatusStore queries;
  private final ReportStore reports;

  /**
   * Over the store of a UI.
   *
   * @param running has the metrics of queries that run, which the store gets when they end; empty
   *     where none runs
   */
  QueryReader(KVStore store, Option<SQLAppStatusListener> running) {
    this.queries = new SQLAppStatusStore(store, running);
    this.reports = new ReportStore(store);
  }

  /** The newest queries that scan Parquet, newest first, at most {@code most}. */
  List<QueryView> newest(int most) {
    List<SQLExecutionUIData> all =
        new ArrayList<>(CollectionConverters.asJava(queries.executionsList()));
    Collections.reverse(all);
    return all.stream().flatMap(query -> view(query).stream()).limit(most).toList();
  }

  private Optional<QueryView> view(SQLExecutionUIData query) {
    long id = query.executionId();
    Parts parts =
        Parts.of(
            plan(id),
            metrics(id),
            reports.find(QueryFallbacks.class, id).orElseGet(() -> QueryFallbacks.none(id)));
    return parts.shown().isEmpty()
        ? Optional.empty()
        : Optional.of(
            new QueryView(
                id,
                query.description(),
                query.executionStatus(),
                parts.shown(),
                parts.more(),
                parts.others()));
  }

  /** A query's plan; empty when Spark has dropped it, as it does for old queries. */
  private Plan plan(long execution) {
    try {
      SparkPlanGraph graph = queries.planGraph(execution);
      return new Plan(
          CollectionConverters.asJava(graph.allNodes()),
          CollectionConverters.asJava(graph.edges()));
    } catch (NoSuchElementException e) {
      return new Plan(List.of(), List.of());
    }
  }

  private Map<Long, String> metrics(long execution) {
    Map<Long, String> values = new HashMap<>();
    CollectionConverters.asJava(queries.executionMetrics(execution))
        .forEach((number, value) -> values.put((Long) number, value));
    return values;
  }

  /** Spark's graph of a plan; its edges lead upwards. */
  record Plan(List<SparkPlanGraphNode> nodes, List<SparkPlanGraphEdge> edges) {}

  /**
   * The nodes of a plan, sorted out. A plan may have thousands.
   *
   * @param more how many parts there are beyond those that are shown
   */
  record Parts(List<PartView> shown, int more, List<String> others) {
    /** The most parts of one query: about twice those of the largest query of TPC-DS. */
    static final int MOST = 100;

    private static final int MOST_OTHERS = 50;

    static Parts of(Plan plan, Map<Long, String> values, QueryFallbacks fallbacks) {
      FallbackReasons reasons = new FallbackReasons(fallbacks);
      BuildSideDepths depths = new BuildSideDepths(plan.nodes(), plan.edges());
      ScanNodeReader scans = new ScanNodeReader(values, reasons);
      StageNodeReader stages = new StageNodeReader(values, reasons);
      List<PartView> parts = new ArrayList<>();
      int more = 0;
      Set<String> others = new LinkedHashSet<>();
      for (SparkPlanGraphNode node : plan.nodes()) {
        Optional<PartView> part = scans.of(node).or(() -> stages.of(node));
        if (part.isEmpty()) {
          others.add(node.name());
        } else if (parts.size() < MOST) {
          parts.add(part.get().within(depths.of(node)));
        } else {
          more++;
        }
      }
      others.removeIf(name -> FRAMES.stream().anyMatch(name::startsWith));
      return new Parts(parts, more, others.stream().limit(MOST_OTHERS).toList());
    }
  }
}
