package io.mooring.spark;

import io.mooring.conf.ExecutorMemory.SparkShare;
import io.mooring.conf.MooringConf;
import io.mooring.gpu.GpuRuntime;
import io.mooring.metrics.ExecutorMetrics;
import io.mooring.metrics.PoolRecording;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.TaskFailedReason;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.resource.ResourceInformation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the GPU and the pool of an executor in the background, and reports on them. */
final class MooringExecutorPlugin implements ExecutorPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(MooringExecutorPlugin.class);

  private volatile @Nullable ExecutorReporter reporter;

  @Override
  public void init(PluginContext context, Map<String, String> settings) {
    try {
      MooringConf conf = MooringConf.from(settings);
      ExecutorMetrics.register(context.metricRegistry());
      PoolRecording.start();
      SparkShare memory = new SparkExecutorMemory(context.conf()).share();
      GpuRuntime.start(conf, assignedDevices(context), memory);
      if (conf.get(MooringConf.ENABLED) && reports(conf)) {
        reporter = ExecutorReporter.start(context, conf.get(MooringConf.UI_REPORT_INTERVAL));
      }
    } catch (RuntimeException | LinkageError e) {
      // An executor without the GPU path still reads everything.
      LOG.warn("Mooring could not start on this executor", e);
    }
  }

  /** Whether executors report to the driver. */
  static boolean reports(MooringConf conf) {
    return !conf.get(MooringConf.UI_REPORT_INTERVAL).isZero();
  }

  @Override
  public void onTaskStart() {
    ExecutorReporter current = reporter;
    if (current != null) {
      current.taskStarted();
    }
  }

  @Override
  public void onTaskSucceeded() {
    ExecutorReporter current = reporter;
    if (current != null) {
      current.taskEnded();
    }
  }

  @Override
  public void onTaskFailed(TaskFailedReason reason) {
    onTaskSucceeded();
  }

  @Override
  public void shutdown() {
    ExecutorReporter current = reporter;
    if (current != null) {
      current.stop();
    }
    // The process may go on, with another context.
    GpuRuntime.current().ifPresent(GpuRuntime::dropUnused);
  }

  private static List<Integer> assignedDevices(PluginContext context) {
    ResourceInformation gpu = context.resources().get("gpu");
    if (gpu == null) {
      return List.of();
    }
    List<String> addresses = Arrays.stream(gpu.addresses()).map(String::trim).toList();
    for (String address : addresses) {
      if (!address.matches("\\d{1,9}")) {
        LOG.warn("Spark's GPU address {} is not a number: Mooring takes GPU 0", address);
        return List.of(0);
      }
    }
    return addresses.stream().map(Integer::valueOf).toList();
  }
}
