package io.mooring.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MooringConfTest {
  private static MooringConf conf(String key, String value) {
    return MooringConf.from(Map.of("spark.mooring." + key, value, "spark.app.name", "x"));
  }

  @Test
  void defaultsAreAsDocumented() {
    MooringConf conf = MooringConf.from(Map.of());
    assertThat(conf.get(MooringConf.ENABLED)).isTrue();
    assertThat(conf.get(PoolEntries.SIZE)).isEmpty();
    assertThat(conf.get(PoolEntries.FALLBACK_MAX_SIZE)).isEqualTo(4L << 30);
    assertThat(conf.get(PoolEntries.WAIT_TIMEOUT)).isEqualTo(Duration.ofSeconds(60));
    assertThat(conf.get(GpuEntries.MEMORY_FRACTION)).isEqualTo(0.8);
    assertThat(conf.get(SqlEntries.ENABLED)).isTrue();
    assertThat(conf.get(ScanEntries.BATCH_SIZE)).isEqualTo(1L << 30);
    assertThat(conf.get(ScanEntries.MERGE_DISTANCE)).isEqualTo(64L << 10);
    assertThat(conf.get(GpuEntries.KERNEL_COPY_THRESHOLD)).isEqualTo(1L << 20);
    assertThat(conf.toMap()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "8g,8589934592",
    "8gb,8589934592",
    "512M,536870912",
    "0,0",
    "1048576,1048576",
    "1024 k,1048576"
  })
  void sizesAreSparkByteStrings(String text, long bytes) {
    assertThat(conf("pinnedPool.size", text).get(PoolEntries.SIZE))
        .isEqualTo(OptionalLong.of(bytes));
  }

  @ParameterizedTest
  @CsvSource({"-1", "8gb?", "much", "''", "99999999999g"})
  void aBadPoolSizeIsNamedWithWhatIsAllowed(String text) {
    assertThatThrownBy(() -> conf("pinnedPool.size", text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "'"
                + text
                + "' in spark.mooring.pinnedPool.size is invalid: must be auto, 0 or a size from"
                + " 1m, such as 8g");
  }

  @ParameterizedTest
  @CsvSource({
    "pinnedPool.size,8,8g",
    "pinnedPool.size,8192,8192m",
    "pinnedPool.maxSize,16,16g",
    "pinnedPool.fallback.maxSize,4,4g",
    "libcudf.defaultPool.size,512,512g"
  })
  void aPoolOfAFewBytesIsAskedAbout(String key, String text, String meant) {
    assertThatThrownBy(() -> conf(key, text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("0 or a size from 1m, such as 8g; did you mean " + meant + "?");
  }

  @Test
  void aPoolOfAFewBytesWithAUnitIsRefusedWithoutAQuestion() {
    assertThatThrownBy(() -> conf("pinnedPool.size", "512k")).hasMessageEndingWith("such as 8g");
  }

  @Test
  void wordsAreTakenInUpperCaseToo() {
    assertThat(conf("sql.pushdown", "AUTO").get(SqlEntries.PUSHDOWN)).isEqualTo("auto");
    assertThat(conf("scan.verifyPages", "Structure").get(ScanEntries.VERIFY_PAGES))
        .isEqualTo("structure");
    assertThat(conf("gpu.devices", "ALL").get(GpuEntries.DEVICES).all()).isTrue();
    assertThat(conf("pinnedPool.size", "Auto").get(PoolEntries.SIZE)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "gpu.memory.fraction,0",
    "gpu.memory.fraction,1.5",
    "gpu.devices,two",
    "scan.ioThreads,0",
    "scan.ioThreads,many",
    "scan.batchSize,auto",
    "enabled,yes",
    "sql.enabled,1",
    "pinnedPool.maxSize,-1",
    "pinnedPool.fallback.maxSize,auto",
    "pinnedPool.initThreads,0",
    "scan.mergeDistance,far",
    "libcudf.kernelPinnedCopyThreshold,-1",
    "libcudf.defaultPool.size,-1",
    "memory.leakDetection,no",
    "pinnedPool.waitTimeout,99999999999999d",
    "pinnedPool.waitTimeout,soon"
  })
  void badValuesNameTheirKey(String key, String value) {
    assertThatThrownBy(() -> conf(key, value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + value + "' in spark.mooring." + key + " is invalid: must be ");
  }

  @Test
  void everyKeyCanBeSetToItsDefault() {
    for (ConfEntry<?> entry : MooringConf.ENTRIES) {
      MooringConf conf = MooringConf.from(Map.of(entry.key(), entry.defaultText()));
      assertThat(conf.get(entry)).isEqualTo(MooringConf.from(Map.of()).get(entry));
      assertThat(conf.toMap()).containsOnlyKeys(entry.key());
    }
  }

  @Test
  void anUnknownKeyIsTakenForTheNearestOne() {
    assertThat(UnknownKeys.warnings(Set.of("spark.mooring.pinedPool.size", "spark.other", "x")))
        .containsExactly(
            "spark.mooring.pinedPool.size is not a setting of Mooring; did you mean"
                + " spark.mooring.pinnedPool.size?");
  }
}
