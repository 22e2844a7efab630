package io.mooring.stage;

import io.mooring.metrics.StageMetric;
import io.mooring.stage.program.StageChain;
import io.mooring.stage.task.StageCounters;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.metric.SQLMetrics;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The metrics of a stage's node: its own and those of its scan. The RDD takes them to executors,
 * where each task has its own.
 *
 * @param operators rows out of each operator, bottom first
 * @param scan the metrics of the scan's node, by their keys
 */
record StageMetrics(
    SQLMetric rowsIn,
    SQLMetric rowsOut,
    SQLMetric sparkSplits,
    SQLMetric operatorNanos,
    ArrayList<SQLMetric> operators,
    HashMap<String, SQLMetric> scan)
    implements Serializable {
  private static final String SCANNED = "numOutputRows";
  private static final long NOT_SET = -1;

  static StageMetrics create(SparkContext context, StageChain chain) {
    ArrayList<SQLMetric> operators = new ArrayList<>();
    for (SparkPlan operator : chain.rowOperators()) {
      String place = (operators.size() + 1) + ", " + operator.nodeName();
      operators.add(SQLMetrics.createMetric(context, "rows out of operator " + place));
    }
    return new StageMetrics(
        SQLMetrics.createMetric(context, StageMetric.ROWS_IN.label()),
        SQLMetrics.createMetric(context, StageMetric.ROWS_OUT.label()),
        SQLMetrics.createMetric(context, StageMetric.SPARK_SPLITS.label()),
        SQLMetrics.createNanoTimingMetric(context, StageMetric.OPERATOR_TIME.label(), NOT_SET),
        operators,
        new HashMap<>(CollectionConverters.asJava(chain.scan().metrics())));
  }

  /** The metrics by their keys, for the node. */
  scala.collection.immutable.Map<String, SQLMetric> all() {
    Map<String, SQLMetric> all = new HashMap<>(scan);
    all.remove(SCANNED);
    all.put(StageMetric.ROWS_IN.key(), rowsIn);
    all.put(StageMetric.ROWS_OUT.key(), rowsOut);
    all.put(StageMetric.SPARK_SPLITS.key(), sparkSplits);
    all.put(StageMetric.OPERATOR_TIME.key(), operatorNanos);
    for (int i = 0; i < operators.size(); i++) {
      all.put("operatorRows" + (i + 1), operators.get(i));
    }
    return scala.collection.immutable.Map$.MODULE$.from(CollectionConverters.asScala(all));
  }

  /** Adds the counts of a reader, once. Threads of one task may add theirs at the same time. */
  synchronized void add(StageCounters stage, CustomTaskMetric[] scanned) {
    rowsIn.add(stage.rowsScanned());
    rowsOut.add(stage.rowsOut());
    sparkSplits.add(stage.sparkSplits());
    operatorNanos.add(stage.operatorNanos());
    long[] rows = stage.rowsOfOperators();
    for (int i = 0; i < Math.min(rows.length, operators.size()); i++) {
      operators.get(i).add(rows[i]);
    }
    add(SCANNED, stage.rowsScanned());
    for (CustomTaskMetric metric : scanned) {
      add(metric.name(), metric.value());
    }
  }

  private void add(String name, long value) {
    SQLMetric metric = scan.get(name);
    if (metric != null) {
      metric.add(value);
    }
  }
}
