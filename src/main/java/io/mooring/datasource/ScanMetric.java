package io.mooring.datasource;

import io.mooring.metrics.MetricUnit;
import io.mooring.metrics.PlanMetric;
import java.util.Arrays;
import org.apache.spark.sql.connector.metric.CustomMetric;

/** A metric of a scan's plan node: the sum over its tasks, of peaks the highest. */
abstract class ScanMetric implements CustomMetric {
  private final PlanMetric metric;

  ScanMetric(PlanMetric metric) {
    this.metric = metric;
  }

  @Override
  public String name() {
    return metric.key();
  }

  @Override
  public String description() {
    return metric.label();
  }

  @Override
  public String aggregateTaskMetrics(long[] tasks) {
    long most = Arrays.stream(tasks).max().orElse(0);
    if (metric.unit().isMaximum()) {
      return metric.unit().show(most);
    }
    String sum = metric.unit().show(Arrays.stream(tasks).sum());
    if (metric.unit() == MetricUnit.COUNT || tasks.length < 2) {
      return sum;
    }
    return sum + " (at most " + metric.unit().show(most) + " in a task)";
  }
}
