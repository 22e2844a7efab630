package io.mooring.spark;

import java.util.Optional;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.SparkPlugin;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.util.Properties;

/** The class for {@code spark.plugins}. */
public final class MooringPlugin implements SparkPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(MooringPlugin.class);

  /** Null, which Spark takes for no component, where the jar does not work with this Spark. */
  @Override
  public @Nullable DriverPlugin driverPlugin() {
    Optional<String> problem = ScalaCheck.problem(Properties.versionNumberString());
    problem.ifPresent(LOG::warn);
    return problem.isPresent() ? null : new MooringDriverPlugin();
  }

  @Override
  public @Nullable ExecutorPlugin executorPlugin() {
    return ScalaCheck.problem(Properties.versionNumberString()).isPresent()
        ? null
        : new MooringExecutorPlugin();
  }
}
