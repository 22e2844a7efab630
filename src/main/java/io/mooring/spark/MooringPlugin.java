package io.mooring.spark;

import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.SparkPlugin;

/** The class for {@code spark.plugins}. */
public final class MooringPlugin implements SparkPlugin {
  @Override
  public DriverPlugin driverPlugin() {
    return new MooringDriverPlugin();
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new MooringExecutorPlugin();
  }
}
