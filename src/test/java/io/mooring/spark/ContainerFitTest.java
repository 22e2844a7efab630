package io.mooring.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.conf.MooringConf;
import java.util.Optional;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContainerFitTest {
  private static Optional<String> warning(String master, String... settings) {
    SparkConf spark = new SparkConf(false).setMaster(master);
    for (int i = 0; i < settings.length; i += 2) {
      spark.set(settings[i], settings[i + 1]);
    }
    return new ContainerFit(spark, MooringConf.from(SparkSettings.of(spark))).warning();
  }

  @ParameterizedTest
  @ValueSource(strings = {"yarn", "k8s://https://host:6443"})
  void aPoolThatDoesNotFitIsWarnedOfWithKeysAndValues(String master) {
    assertThat(
            warning(master, "spark.executor.memory", "20g", "spark.mooring.pinnedPool.size", "8g"))
        .hasValue(
            "The pinned pool (spark.mooring.pinnedPool.size, 8 GiB) and its pageable fallback"
                + " (spark.mooring.pinnedPool.fallback.maxSize, 4 GiB) do not both fit"
                + " spark.executor.memoryOverhead (2 GiB, Spark's default): the cluster manager may"
                + " end executors that use them. Set spark.executor.memoryOverhead to 14g, or less"
                + " of the others");
  }

  @Test
  void whatIsAdvisedFits() {
    String[] settings = {
      "spark.executor.memory", "20g",
      "spark.mooring.pinnedPool.size", "8g",
      "spark.executor.memoryOverhead", "14g"
    };
    assertThat(warning("yarn", settings)).isEmpty();
  }

  @Test
  void theOverheadIsSparksOwn() {
    String[] fits = {
      "spark.executor.memory", "20g",
      "spark.executor.memoryOverheadFactor", "0.4",
      "spark.mooring.pinnedPool.size", "6g",
      "spark.mooring.pinnedPool.fallback.maxSize", "2g"
    };
    assertThat(warning("yarn", fits)).isEmpty();
    fits[3] = "0.39";
    assertThat(warning("yarn", fits)).hasValueSatisfying(it -> assertThat(it).contains("7.8 GiB"));
    // Both count in MiB where no unit is given.
    assertThat(
            warning(
                "yarn",
                "spark.executor.memoryOverhead",
                "383",
                "spark.mooring.pinnedPool.size",
                "320m",
                "spark.mooring.pinnedPool.fallback.maxSize",
                "64m"))
        .isPresent();
    assertThat(
            warning(
                "yarn",
                "spark.mooring.pinnedPool.size",
                "320m",
                "spark.mooring.pinnedPool.fallback.maxSize",
                "64m"))
        .isEmpty();
  }

  @Test
  void aPoolThatMayGrowCountsWithItsGreatestSize() {
    assertThat(
            warning(
                "yarn",
                "spark.executor.memoryOverhead",
                "8g",
                "spark.mooring.pinnedPool.size",
                "2g",
                "spark.mooring.pinnedPool.maxSize",
                "6g"))
        .hasValueSatisfying(it -> assertThat(it).contains("6 GiB"));
  }

  @Test
  void autoIsAQuarterOfTheContainer() {
    assertThat(
            warning(
                "k8s://x", "spark.executor.memory", "30g", "spark.executor.memoryOverhead", "10g"))
        .hasValueSatisfying(it -> assertThat(it).contains("auto, here up to 10 GiB"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"local[4]", "spark://host:7077", "local-cluster[2,1,1024]"})
  void whereNoContainerLimitsTheProcessThereIsNoWarning(String master) {
    assertThat(warning(master, "spark.mooring.pinnedPool.size", "800g")).isEmpty();
  }

  @Test
  void aSwitchedOffPluginWarnsOfNothing() {
    assertThat(
            warning(
                "yarn", "spark.mooring.enabled", "false", "spark.mooring.pinnedPool.size", "8g"))
        .isEmpty();
  }
}
