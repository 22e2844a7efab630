package io.mooring.ui;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.execution.ui.SQLPlanMetric;
import org.apache.spark.sql.execution.ui.SparkPlanGraphNode;
import scala.jdk.javaapi.CollectionConverters;

/** The metrics of a node of Spark's plan graph, by their labels, as Spark shows them. */
final class NodeMetrics {
  private static final String OF_TASKS = "total (min";

  private final Map<String, String> byLabel = new HashMap<>();

  /**
   * Takes the metrics of a node.
   *
   * @param values by the number of their accumulator
   */
  NodeMetrics(SparkPlanGraphNode node, Map<Long, String> values) {
    for (SQLPlanMetric metric : CollectionConverters.asJava(node.metrics())) {
      byLabel.put(metric.name(), total(values.getOrDefault(metric.accumulatorId(), "")));
    }
  }

  /** The total alone: Spark shows the least and the most of a task, too, for sizes and times. */
  private static String total(String value) {
    if (!value.startsWith(OF_TASKS)) {
      return value;
    }
    String line = value.substring(value.indexOf('\n') + 1);
    int tasks = line.indexOf(" (");
    return tasks < 0 ? line : line.substring(0, tasks);
  }

  /** A metric that counts; 0 where nothing was counted yet. */
  long count(String label) {
    String digits = byLabel.getOrDefault(label, "").replaceAll("\\D", "");
    return digits.isEmpty() ? 0 : Long.parseLong(digits);
  }

  /** The values of labels that are not zero, each with its name. */
  List<String> figures(List<String> labels) {
    return labels.stream()
        .filter(label -> !byLabel.getOrDefault(label, "").matches("|0(\\.0+)?( .*)?"))
        .map(label -> label + ": " + byLabel.get(label))
        .toList();
  }
}
