package io.mooring.spark;

import io.mooring.conf.MooringConf;
import io.mooring.conf.MooringVersion;
import io.mooring.conf.UnknownKeys;
import io.mooring.report.ApplicationReport;
import io.mooring.report.ExecutorReport;
import io.mooring.session.GpuAvailability;
import io.mooring.spark.plan.delta.DeltaFileSelection;
import io.mooring.ui.LiveTab;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Tuple2;

/**
 * Checks the settings, adds the session extensions, passes the settings to the executors, and shows
 * what these report.
 */
final class MooringDriverPlugin implements DriverPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(MooringDriverPlugin.class);
  private static final String EXTENSIONS = "spark.sql.extensions";

  private volatile @Nullable ExecutorReports reports;

  /**
   * @throws IllegalArgumentException for a bad setting, which ends the start of the application
   */
  @Override
  public Map<String, String> init(SparkContext context, PluginContext plugin) {
    GpuAvailability.clearReports();
    Map<String, String> settings = settings(context.conf());
    MooringConf conf = MooringConf.from(settings);
    List<String> warnings = new ArrayList<>(UnknownKeys.warnings(settings.keySet()));
    new SparkExecutorMemory(context.conf()).warning(conf).ifPresent(warnings::add);
    warnings.forEach(LOG::warn);
    StatusLog status = new StatusLog(conf);
    status.atStart();
    if (conf.get(MooringConf.ENABLED)) {
      // The live configuration, not the copy that SparkContext.getConf would give.
      addExtensions(context.conf());
      if (MooringExecutorPlugin.reports(conf)) {
        ExecutorReports last = new ExecutorReports(context.listenerBus(), status);
        context.addSparkListener(last);
        reports = last;
        showReports(context, new ApplicationReport(MooringVersion.get(), conf.toMap(), warnings));
      }
    }
    return conf.toMap();
  }

  /** The settings of an application as a plain map. */
  static Map<String, String> settings(SparkConf conf) {
    Map<String, String> all = new HashMap<>();
    for (Tuple2<String, String> entry : conf.getAll()) {
      all.put(entry._1(), entry._2());
    }
    return all;
  }

  private static void showReports(SparkContext context, ApplicationReport application) {
    try {
      LiveTab.attachTo(context);
      context.listenerBus().post(application);
    } catch (RuntimeException | LinkageError e) {
      LOG.info("Mooring cannot show reports in this Spark: {}", e.toString());
    }
  }

  @Override
  public void registerMetrics(String application, PluginContext plugin) {
    ExecutorReports current = reports;
    if (current != null) {
      current.register(plugin.metricRegistry());
    }
  }

  @Override
  public @Nullable Object receive(Object message) {
    ExecutorReports current = reports;
    if (current != null && message instanceof ExecutorReport report) {
      current.add(report);
    }
    return null;
  }

  @Override
  public void shutdown() {
    DeltaFileSelection.forget();
    ExecutorReports current = reports;
    if (current != null) {
      current.logAdvice();
    }
  }

  /** Puts Mooring's extensions first: Delta Lake's plan every file scan and would leave none. */
  private static void addExtensions(SparkConf conf) {
    String ours = MooringExtensions.class.getName();
    String others = conf.get(EXTENSIONS, "");
    if (!List.of(others.split("\\s*,\\s*")).contains(ours)) {
      conf.set(EXTENSIONS, others.isEmpty() ? ours : ours + "," + others);
    }
  }
}
