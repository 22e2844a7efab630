package io.mooring.spark;

import io.mooring.conf.MooringConf;
import io.mooring.conf.UnknownKeys;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks the settings, adds the session extensions, and passes the settings to the executors. */
final class DriverComponent implements DriverPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(DriverComponent.class);
  private static final String EXTENSIONS = "spark.sql.extensions";

  /**
   * @throws IllegalArgumentException for a bad setting, which ends the start of the application
   */
  @Override
  public Map<String, String> init(SparkContext context, PluginContext plugin) {
    Map<String, String> settings = SparkSettings.of(context.conf());
    MooringConf conf = MooringConf.from(settings);
    UnknownKeys.warnings(settings.keySet()).forEach(LOG::warn);
    if (conf.get(MooringConf.ENABLED)) {
      // The live configuration, not the copy that SparkContext.getConf would give.
      addExtensions(context.conf());
    }
    return conf.toMap();
  }

  private static void addExtensions(SparkConf conf) {
    String ours = MooringExtensions.class.getName();
    String others = conf.get(EXTENSIONS, "");
    if (!List.of(others.split("\\s*,\\s*")).contains(ours)) {
      conf.set(EXTENSIONS, others.isEmpty() ? ours : others + "," + ours);
    }
  }
}
