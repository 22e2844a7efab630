package io.mooring.stage;

import java.io.Serializable;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.metric.SQLMetrics;
import scala.jdk.javaapi.CollectionConverters;

/** The metrics of a final stage's node, which the RDD takes to executors. */
record FinalStageMetrics(SQLMetric groups, SQLMetric rowsOut, SQLMetric operatorNanos)
    implements Serializable {
  static FinalStageMetrics create(SparkContext context) {
    return new FinalStageMetrics(
        SQLMetrics.createMetric(context, "partial groups merged on the GPU"),
        SQLMetrics.createMetric(context, "rows out of the final operators on the GPU"),
        SQLMetrics.createNanoTimingMetric(context, "time of operators on the GPU", -1));
  }

  /** The metrics by their keys, for the node. */
  scala.collection.immutable.Map<String, SQLMetric> all() {
    return scala.collection.immutable.Map$.MODULE$.from(
        CollectionConverters.asScala(
            Map.of(
                "finalGroups", groups, "finalRowsOut", rowsOut, "operatorNanos", operatorNanos)));
  }

  void add(long merged, long made, long nanos) {
    groups.add(merged);
    rowsOut.add(made);
    operatorNanos.add(nanos);
  }
}
