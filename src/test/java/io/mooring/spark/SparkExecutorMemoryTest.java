package io.mooring.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.conf.MooringConf;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SparkExecutorMemoryTest {
  private static final String HEAP = "spark.executor.memory";
  private static final String OVERHEAD = "spark.executor.memoryOverhead";
  private static final String SIZE = "spark.mooring.pinnedPool.size";
  private static final String FALLBACK = "spark.mooring.pinnedPool.fallback.maxSize";

  private static Optional<String> warning(String master, String... settings) {
    SparkConf spark = new SparkConf(false).setMaster(master);
    for (int i = 0; i < settings.length; i += 2) {
      spark.set(settings[i], settings[i + 1]);
    }
    return new SparkExecutorMemory(spark)
        .warning(MooringConf.from(MooringDriverPlugin.settings(spark)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"yarn", "k8s://https://host:6443"})
  void whatItAdvisesFits(String master) {
    for (String size : new String[] {"auto", "8g"}) {
      String text = warning(master, HEAP, "8g", SIZE, size).orElseThrow();
      Matcher settings =
          Pattern.compile(OVERHEAD + "=(\\d+m) and " + SIZE + "=(\\d+m)").matcher(text);
      assertThat(settings.find()).as(text).isTrue();
      assertThat(warning(master, HEAP, "8g", OVERHEAD, settings.group(1), SIZE, settings.group(2)))
          .isEmpty();
    }
  }

  @Test
  void theOverheadIsSparksOwn() {
    String[] fits = {
      HEAP, "20g", "spark.executor.memoryOverheadFactor", "0.46", SIZE, "6g", FALLBACK, "2g"
    };
    assertThat(warning("yarn", fits)).isEmpty();
    fits[3] = "0.39";
    assertThat(warning("yarn", fits)).isPresent();
    // Both count in MiB where no unit is given; a heap of 1 GiB takes 32 MiB of tables.
    String[] bare = {OVERHEAD, "863", SIZE, "320m", FALLBACK, "64m"};
    assertThat(warning("yarn", bare)).isPresent();
    bare[1] = "864";
    assertThat(warning("yarn", bare)).isEmpty();
  }

  @Test
  void offHeapMemoryAndPythonHaveRoomOfTheirOwn() {
    String[] settings = {
      HEAP,
      "8g",
      OVERHEAD,
      "7052m",
      SIZE,
      "2252m",
      FALLBACK,
      "4g",
      "spark.memory.offHeap.enabled",
      "true",
      "spark.memory.offHeap.size",
      "6g",
      "spark.executor.pyspark.memory",
      "1g"
    };
    assertThat(warning("yarn", settings)).isEmpty();
    settings[3] = "7051m";
    assertThat(warning("yarn", settings))
        .hasValueSatisfying(it -> assertThat(it).contains("off-heap memory and Python 7168"));
  }

  @Test
  void aPoolThatMayGrowCountsWithItsGreatestSize() {
    assertThat(
            warning("yarn", OVERHEAD, "8g", SIZE, "2g", "spark.mooring.pinnedPool.maxSize", "8g"))
        .hasValueSatisfying(it -> assertThat(it).contains("of 8192 MiB"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"local[4]", "spark://host:7077", "local-cluster[2,1,1024]"})
  void whereNoContainerLimitsTheProcessThereIsNoWarning(String master) {
    assertThat(warning(master, SIZE, "800g")).isEmpty();
  }

  @Test
  void aSwitchedOffPluginWarnsOfNothing() {
    assertThat(warning("yarn", "spark.mooring.enabled", "false", SIZE, "8g")).isEmpty();
  }
}
