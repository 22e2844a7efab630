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
import org.apache.spark.sql.execution.ui.SQLAppStatusStore;
import org.apache.spark.sql.execution.ui.SQLExecutionUIData;
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

  QueryReader(KVStore store) {
    this.queries = new SQLAppStatusStore(store, Option.empty());
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
            nodes(id),
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

  /** The nodes of a query's plan; none when Spark has dropped it, as it does for old queries. */
  private List<SparkPlanGraphNode> nodes(long execution) {
    try {
      return CollectionConverters.asJava(queries.planGraph(execution).allNodes());
    } catch (NoSuchElementException e) {
      return List.of();
    }
  }

  private Map<Long, String> metrics(long execution) {
    Map<Long, String> values = new HashMap<>();
    CollectionConverters.asJava(queries.executionMetrics(execution))
        .forEach((number, value) -> values.put((Long) number, value));
    return values;
  }

  /**
   * The nodes of a plan, sorted out. A plan may have thousands.
   *
   * @param more how many parts there are beyond those that are shown
   */
  record Parts(List<PartView> shown, int more, List<String> others) {
    /** The most parts of one query: about twice those of the largest query of TPC-DS. */
    static final int MOST = 100;

    private static final int MOST_OTHERS = 50;

    static Parts of(
        List<SparkPlanGraphNode> nodes, Map<Long, String> values, QueryFallbacks fallbacks) {
      ScanNodeReader scans = new ScanNodeReader(values, fallbacks);
      StageNodeReader stages = new StageNodeReader(values, fallbacks);
      List<PartView> parts = new ArrayList<>();
      int more = 0;
      Set<String> others = new LinkedHashSet<>();
      for (SparkPlanGraphNode node : nodes) {
        Optional<PartView> part = scans.of(node).or(() -> stages.of(node));
        if (part.isEmpty()) {
          others.add(node.name());
        } else if (parts.size() < MOST) {
          parts.add(part.get());
        } else {
          more++;
        }
      }
      others.removeIf(name -> FRAMES.stream().anyMatch(name::startsWith));
      return new Parts(parts, more, others.stream().limit(MOST_OTHERS).toList());
    }
  }
}
