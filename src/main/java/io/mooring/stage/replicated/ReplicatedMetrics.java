package io.mooring.stage.replicated;

import java.io.Serializable;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.metric.SQLMetrics;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The metrics of a build side's node. The broadcast takes them to executors, where each task has
 * its own.
 *
 * @param builds the number of executors that have built it
 * @param rows that they read together
 * @param size of the hashed relations
 * @param time of a build
 */
record ReplicatedMetrics(SQLMetric builds, SQLMetric rows, SQLMetric size, SQLMetric time)
    implements Serializable {
  private static final long serialVersionUID = 1;
  // Spark ignores tasks with this value in minimum, median and maximum.
  private static final long NOT_SET = -1;

  static ReplicatedMetrics create(SparkContext context) {
    return new ReplicatedMetrics(
        SQLMetrics.createMetric(context, "builds"),
        SQLMetrics.createMetric(context, "rows of the build side, read by all executors"),
        SQLMetrics.createSizeMetric(context, "data size", NOT_SET),
        SQLMetrics.createTimingMetric(context, "time to build", NOT_SET));
  }

  /** The metrics by their keys, for the node. */
  scala.collection.immutable.Map<String, SQLMetric> all() {
    Map<String, SQLMetric> all =
        Map.of("builds", builds, "buildRows", rows, "dataSize", size, "buildTime", time);
    return scala.collection.immutable.Map$.MODULE$.from(CollectionConverters.asScala(all));
  }

  /** Adds a build of a task. */
  void add(long rowsRead, long bytes, long millis) {
    builds.add(1);
    rows.add(rowsRead);
    size.add(bytes);
    time.add(millis);
  }
}
