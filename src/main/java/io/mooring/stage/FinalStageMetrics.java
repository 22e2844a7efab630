package io.mooring.stage;

import io.mooring.metrics.StageMetric;
import java.io.Serializable;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.metric.SQLMetrics;
import scala.jdk.javaapi.CollectionConverters;

/** The metrics of a final stage's node, which the RDD takes to executors. */
record FinalStageMetrics(
    SQLMetric groups, SQLMetric otherGpuGroups, SQLMetric rowsOut, SQLMetric operatorNanos)
    implements Serializable {
  static FinalStageMetrics create(SparkContext context) {
    return new FinalStageMetrics(
        SQLMetrics.createMetric(context, StageMetric.FINAL_GROUPS.label()),
        SQLMetrics.createMetric(context, StageMetric.OTHER_GPU_GROUPS.label()),
        SQLMetrics.createMetric(context, StageMetric.FINAL_ROWS_OUT.label()),
        SQLMetrics.createNanoTimingMetric(context, StageMetric.FINAL_OPERATOR_TIME.label(), -1));
  }

  /** The metrics by their keys, for the node. */
  scala.collection.immutable.Map<String, SQLMetric> all() {
    return scala.collection.immutable.Map$.MODULE$.from(
        CollectionConverters.asScala(
            Map.of(
                StageMetric.FINAL_GROUPS.key(),
                groups,
                StageMetric.OTHER_GPU_GROUPS.key(),
                otherGpuGroups,
                StageMetric.FINAL_ROWS_OUT.key(),
                rowsOut,
                StageMetric.FINAL_OPERATOR_TIME.key(),
                operatorNanos)));
  }

  void add(long merged, long ofOtherGpus, long results, long nanos) {
    groups.add(merged);
    otherGpuGroups.add(ofOtherGpus);
    rowsOut.add(results);
    operatorNanos.add(nanos);
  }
}
