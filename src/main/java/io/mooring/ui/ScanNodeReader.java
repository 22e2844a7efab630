package io.mooring.ui;

import io.mooring.metrics.PlanMetric;
import io.mooring.ui.QueryView.Engine;
import io.mooring.ui.QueryView.PartView;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.execution.ui.SparkPlanGraphNode;

/** Reads off a node of Spark's plan graph whether it scans Parquet, and who did the reading. */
final class ScanNodeReader {
  private static final Pattern NOT_OURS = Pattern.compile("\\(not Mooring: (.*?)\\)(?: |$|,)");
  private static final String SPARKS = "Scan parquet";
  private static final String OURS = "BatchScan";
  private static final String UNTOLD =
      "left as it was planned: Mooring is off in this session, or the driver has no GPU to plan"
          + " for";

  private final Map<Long, String> values;
  private final FallbackReasons fallbacks;

  /**
   * For the nodes of one query.
   *
   * @param values metrics by the number of their accumulator, as Spark shows them
   */
  ScanNodeReader(Map<Long, String> values, FallbackReasons fallbacks) {
    this.values = values;
    this.fallbacks = fallbacks;
  }

  /** Empty for a node that scans no Parquet, and for a stage. */
  Optional<PartView> of(SparkPlanGraphNode node) {
    // Other nodes may have columns of any name.
    if (node.name().startsWith(OURS) && node.desc().contains("MooringScan ")) {
      return Optional.of(ours(node));
    } else if (node.name().startsWith(SPARKS) || NOT_OURS.matcher(node.name()).find()) {
      return Optional.of(sparks(node));
    }
    return Optional.empty();
  }

  private PartView sparks(SparkPlanGraphNode node) {
    Matcher reason = NOT_OURS.matcher(node.name());
    String why = reason.find() ? reason.group(1) : UNTOLD;
    return new PartView(
        0, node.name(), node.desc(), Engine.CPU.label(), List.of(), List.of(why), List.of());
  }

  private PartView ours(SparkPlanGraphNode node) {
    NodeMetrics metrics = new NodeMetrics(node, values);
    Engine engine = engine(metrics);
    return new PartView(
        0,
        node.name(),
        node.desc(),
        engine.label(),
        List.of(),
        engine.fell() ? fallbacks.next() : List.of(),
        figures(metrics));
  }

  /** Who read the files of a scan of Mooring, or of the scan in a stage. */
  static Engine engine(NodeMetrics metrics) {
    return Engine.of(
        metrics.count(PlanMetric.GPU_FILES.label()), metrics.count(PlanMetric.CPU_FILES.label()));
  }

  /** The figures of a scan of Mooring, or of the scan in a stage. */
  static List<String> figures(NodeMetrics metrics) {
    return metrics.figures(Arrays.stream(PlanMetric.values()).map(PlanMetric::label).toList());
  }
}
