package io.mooring.ui;

import io.mooring.metrics.PlanMetric;
import io.mooring.ui.QueryView.Engine;
import io.mooring.ui.QueryView.ScanView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.execution.ui.SQLAppStatusStore;
import org.apache.spark.sql.execution.ui.SQLExecutionUIData;
import org.apache.spark.sql.execution.ui.SQLPlanMetric;
import org.apache.spark.sql.execution.ui.SparkPlanGraphNode;
import org.apache.spark.util.kvstore.KVStore;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/** Reads queries from the store of Spark's own SQL tab, and adds Mooring's reports about them. */
final class QueryReader {
  private static final String CODEGEN = "WholeStageCodegen";

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

  /** A query's view; empty when Spark has dropped its plan, as it does for old queries. */
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

  /** Reads off a node of Spark's plan graph whether it scans Parquet, and who did the reading. */
  static final class ScanNodeReader {
    private static final Pattern NOT_OURS = Pattern.compile("\\(not Mooring: (.*?)\\)(?: |$|,)");
    private static final String SPARKS = "Scan parquet";
    private static final String UNTOLD =
        "left as it was planned: Mooring is off in this session, or the driver has no GPU to plan"
            + " for";

    private final Map<Long, String> values;
    private final QueryFallbacks fallbacks;

    /**
     * For the nodes of one query.
     *
     * @param values metrics by the number of their accumulator, as Spark shows them
     */
    ScanNodeReader(Map<Long, String> values, QueryFallbacks fallbacks) {
      this.values = values;
      this.fallbacks = fallbacks;
    }

    /** Empty for a node that scans no Parquet. */
    Optional<ScanView> of(SparkPlanGraphNode node) {
      if (node.desc().contains("MooringScan ")) {
        return Optional.of(ours(node));
      } else if (node.name().startsWith(SPARKS) || NOT_OURS.matcher(node.name()).find()) {
        return Optional.of(sparks(node));
      }
      return Optional.empty();
    }

    private ScanView sparks(SparkPlanGraphNode node) {
      Matcher reason = NOT_OURS.matcher(node.name());
      String why = reason.find() ? reason.group(1) : UNTOLD;
      return new ScanView(node.name(), Engine.CPU, List.of(why), List.of(), node.desc());
    }

    private ScanView ours(SparkPlanGraphNode node) {
      Map<String, String> metrics = metrics(node);
      Engine engine =
          Engine.of(count(metrics, PlanMetric.GPU_FILES), count(metrics, PlanMetric.CPU_FILES));
      boolean fell = engine == Engine.CPU || engine == Engine.BOTH;
      return new ScanView(
          node.name(), engine, fell ? reasons() : List.of(), figures(metrics), node.desc());
    }

    private Map<String, String> metrics(SparkPlanGraphNode node) {
      Map<String, String> byLabel = new HashMap<>();
      for (SQLPlanMetric metric : CollectionConverters.asJava(node.metrics())) {
        byLabel.put(metric.name(), values.getOrDefault(metric.accumulatorId(), ""));
      }
      return byLabel;
    }

    private static long count(Map<String, String> metrics, PlanMetric metric) {
      String digits = metrics.getOrDefault(metric.label(), "").replaceAll("\\D", "");
      return digits.isEmpty() ? 0 : Long.parseLong(digits);
    }

    private static List<String> figures(Map<String, String> metrics) {
      List<String> shown = new ArrayList<>();
      for (PlanMetric metric : PlanMetric.values()) {
        String value = metrics.getOrDefault(metric.label(), "");
        if (!value.isEmpty() && !value.matches("0( .*)?")) {
          shown.add(metric.label() + ": " + value);
        }
      }
      return shown;
    }

    private List<String> reasons() {
      if (fallbacks.reasons().isEmpty()) {
        return List.of("the executors have not reported the reason yet");
      }
      return fallbacks.reasons().values().stream()
          .map(it -> it.reason() + " (" + it.splits() + " of such splits, " + it.example() + ")")
          .toList();
    }
  }
}
