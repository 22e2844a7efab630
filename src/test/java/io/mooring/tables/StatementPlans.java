package io.mooring.tables;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart;

/** The plans of all queries that a statement runs, as the SQL tab shows them first. */
final class StatementPlans extends SparkListener {
  private final List<String> plans = new CopyOnWriteArrayList<>();

  private StatementPlans() {}

  /** Runs a statement. */
  static List<String> of(SparkSession spark, String statement) throws TimeoutException {
    StatementPlans listener = new StatementPlans();
    spark.sparkContext().listenerBus().waitUntilEmpty();
    spark.sparkContext().addSparkListener(listener);
    try {
      spark.sql(statement).collectAsList();
      spark.sparkContext().listenerBus().waitUntilEmpty();
    } finally {
      spark.sparkContext().removeSparkListener(listener);
    }
    return listener.plans;
  }

  /** The scans of Parquet files in some plans, each as a line that has a part of a path. */
  static List<String> scans(List<String> plans, String part) {
    return plans.stream()
        .flatMap(String::lines)
        .filter(it -> it.contains("BatchScan ") || it.contains("Scan parquet"))
        .filter(it -> it.contains(part))
        .toList();
  }

  @Override
  public void onOtherEvent(SparkListenerEvent event) {
    if (event instanceof SparkListenerSQLExecutionStart start) {
      plans.add(start.physicalPlanDescription());
    }
  }
}
