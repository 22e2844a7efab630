package io.mooring.spark;

import io.mooring.session.GpuAvailability;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;

/**
 * Forgets what executors that are gone have reported of their GPUs. One that had no GPU, or a small
 * one, would decide how queries are planned as long as the application lives.
 */
final class RemovedExecutors extends SparkListener {
  @Override
  public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
    GpuAvailability.forget(removed.executorId());
  }
}
