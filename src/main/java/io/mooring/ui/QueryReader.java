package io.mooring.ui;

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

/** The queries that Spark's own SQL tab has in its store, with what Mooring knows of them. */
final class QueryReader {
  private static final String CODEGEN = "WholeStageCodegen";

  private final SQLAppStatusStore queries;
  private final ReportStore reports;

  QueryReader(KVStore store) {
    this.queries = new SQLAppStatusStore(store, Option.empty());
    this.reports = new ReportStore(store);
  }

  /** Those that scan Parquet, newest first, at most {@code most}. */
  List<QueryView> newest(int most) {
    List<SQLExecutionUIData> all =
        new ArrayList<>(CollectionConverters.asJava(queries.executionsList()));
    Collections.reverse(all);
    return all.stream().flatMap(query -> view(query).stream()).limit(most).toList();
  }

  private Optional<QueryView> view(SQLExecutionUIData query) {
    List<SparkPlanGraphNode> nodes = nodes(query.executionId());
    ScanNodeReader reading =
        new ScanNodeReader(
            metrics(query.executionId()),
            reports
                .find(QueryFallbacks.class, query.executionId())
                .orElseGet(() -> QueryFallbacks.none(query.executionId())));
    List<ScanView> scans = new ArrayList<>();
    Set<String> others = new LinkedHashSet<>();
    for (SparkPlanGraphNode node : nodes) {
      Optional<ScanView> scan = reading.of(node);
      scan.ifPresent(scans::add);
      if (scan.isEmpty() && !node.name().startsWith(CODEGEN)) {
        others.add(node.name());
      }
    }
    return scans.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new QueryView(
                query.executionId(),
                query.description(),
                query.executionStatus(),
                scans,
                List.copyOf(others)));
  }

  /** None when Spark has thrown the plan away, as it does with old queries. */
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
}
