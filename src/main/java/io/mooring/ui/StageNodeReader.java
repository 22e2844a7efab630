package io.mooring.ui;

import io.mooring.metrics.StageMetric;
import io.mooring.metrics.StageNode;
import io.mooring.ui.QueryView.Engine;
import io.mooring.ui.QueryView.PartView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.execution.ui.SparkPlanGraphNode;

/**
 * Reads off a node of Spark's plan graph which operators run on the GPU, where they end and why,
 * and which build sides every executor reads.
 */
final class StageNodeReader {
  private static final int MOST_OPERATORS = 30;

  private final Map<Long, String> values;
  private final FallbackReasons fallbacks;

  /**
   * For the nodes of one query.
   *
   * @param values metrics by the number of their accumulator, as Spark shows them
   */
  StageNodeReader(Map<Long, String> values, FallbackReasons fallbacks) {
    this.values = values;
    this.fallbacks = fallbacks;
  }

  /** Empty for a node that stages do not add to a plan. */
  Optional<PartView> of(SparkPlanGraphNode node) {
    return Arrays.stream(StageNode.values())
        .filter(kind -> kind.label().equals(node.name()))
        .findFirst()
        .map(
            kind ->
                switch (kind) {
                  case STAGE -> stage(node);
                  case FINAL_STAGE -> finalStage(node);
                  case REPLICATED -> buildSide(node);
                });
  }

  /** The scan, with the operators above it that are in the stage. */
  private PartView stage(SparkPlanGraphNode node) {
    NodeMetrics metrics = new NodeMetrics(node, values);
    StageText text = StageText.of(node.desc());
    boolean bySpark = metrics.count(StageMetric.SPARK_SPLITS.label()) > 0;
    Engine readers = ScanNodeReader.engine(metrics);
    List<String> why = new ArrayList<>();
    if (!text.end().isEmpty()) {
      why.add(text.end());
    }
    if (bySpark || readers.fell()) {
      why.addAll(fallbacks.next());
    }
    List<String> operators = operators(text);
    operators.add(computedBy(metrics));
    operators.addAll(metrics.figures(labels(StageNode.STAGE)));
    return new PartView(
        0,
        text.scan().isEmpty() ? node.name() : text.scanName(),
        node.desc(),
        readers.label(),
        operators,
        why,
        ScanNodeReader.figures(metrics));
  }

  private PartView finalStage(SparkPlanGraphNode node) {
    NodeMetrics metrics = new NodeMetrics(node, values);
    List<String> operators = operators(StageText.of(node.desc()));
    if (metrics.count(StageMetric.FINAL_GROUPS.label()) == 0) {
      operators.add(StageMetric.FINAL_GROUPS.label() + ": 0");
    }
    operators.addAll(metrics.figures(labels(StageNode.FINAL_STAGE)));
    return new PartView(0, node.name(), node.desc(), "", operators, List.of(), List.of());
  }

  private PartView buildSide(SparkPlanGraphNode node) {
    NodeMetrics metrics = new NodeMetrics(node, values);
    boolean built = metrics.count(StageMetric.BUILDS.label()) > 0;
    // The last occurrence: a user may have named a key like these words.
    int keys = node.desc().lastIndexOf(", reads the build side");
    return new PartView(
        0,
        keys < 0 ? node.name() : node.desc().substring(0, keys),
        node.desc(),
        built ? "every executor" : "no executor, or shared with an equal build side",
        List.of(),
        List.of(),
        metrics.figures(labels(StageNode.REPLICATED)));
  }

  private static List<String> operators(StageText text) {
    List<String> names = text.operators();
    int shown = Math.min(names.size(), MOST_OPERATORS);
    String line = String.join(", ", names.subList(0, shown));
    List<String> lines = new ArrayList<>();
    lines.add(
        shown == 0
            ? "no operator"
            : shown == names.size() ? line : line + " and " + (names.size() - shown) + " more");
    return lines;
  }

  private static String computedBy(NodeMetrics metrics) {
    boolean gpu = metrics.count(StageMetric.ROWS_IN.label()) > 0;
    if (metrics.count(StageMetric.SPARK_SPLITS.label()) > 0) {
      return "computed by: " + (gpu ? "GPU and Spark's operators" : "Spark's operators");
    }
    return "computed by: " + (gpu ? "GPU" : "nobody, no rows");
  }

  private static List<String> labels(StageNode node) {
    return Arrays.stream(StageMetric.values())
        .filter(metric -> metric.node() == node)
        .map(StageMetric::label)
        .toList();
  }
}
