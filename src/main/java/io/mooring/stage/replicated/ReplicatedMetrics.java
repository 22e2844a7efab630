package io.mooring.stage.replicated;

import io.mooring.metrics.StageMetric;
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
        SQLMetrics.createMetric(context, StageMetric.BUILDS.label()),
        SQLMetrics.createMetric(context, StageMetric.BUILD_ROWS.label()),
        SQLMetrics.createSizeMetric(context, StageMetric.BUILD_SIZE.label(), NOT_SET),
        SQLMetrics.createTimingMetric(context, StageMetric.BUILD_TIME.label(), NOT_SET));
  }

  /** The metrics by their keys, for the node. */
  scala.collection.immutable.Map<String, SQLMetric> all() {
    Map<String, SQLMetric> all =
        Map.of(
            StageMetric.BUILDS.key(),
            builds,
            StageMetric.BUILD_ROWS.key(),
            rows,
            StageMetric.BUILD_SIZE.key(),
            size,
            StageMetric.BUILD_TIME.key(),
            time);
    return scala.collection.immutable.Map$.MODULE$.from(CollectionConverters.asScala(all));
  }

  /** Adds a build of a task, which may make one on each of several GPUs at the same time. */
  synchronized void add(long rowsRead, long bytes, long millis) {
    builds.add(1);
    rows.add(rowsRead);
    size.add(bytes);
    time.add(millis);
  }
}
