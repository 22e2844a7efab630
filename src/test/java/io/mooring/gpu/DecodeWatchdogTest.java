package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mooring.conf.GpuEntries;
import io.mooring.conf.PoolEntries;
import io.mooring.conf.ScanEntries;
import io.mooring.conf.SqlEntries;
import io.mooring.jni.NativeLibrary;
import io.mooring.parquet.read.DecodeMonitor;
import io.mooring.parquet.source.FileSequence;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.testing.ChildJvm;
import io.mooring.testing.LogCapture;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.logging.log4j.Level;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("forked")
class DecodeWatchdogTest {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Duration SOON = Duration.ofMillis(50);
  private static final FileSequence FILES =
      new FileSequence(List.of(new ParquetFile("file:/a.parquet", 100, 0)), List.of(0L));

  @TempDir Path folder;
  private final GpuHealth health = GpuHealthTest.ofOnlyDevice();

  @Test
  void aDecodeThatEndsInTimeIsNothing() throws Exception {
    DecodeWatchdog.of(health, SOON).begin(FILES).close();
    Thread.sleep(SOON.multipliedBy(3).toMillis());
    assertThat(health.problem()).isNull();
  }

  @Test
  void withoutALimitNoneIsTooLong() throws Exception {
    try (DecodeMonitor.Decode decode = DecodeWatchdog.of(health, Duration.ZERO).begin(FILES)) {
      Thread.sleep(SOON.multipliedBy(3).toMillis());
    }
    assertThat(health.problem()).isNull();
  }

  @Test
  void theGpuOfOneThatDoesNotEndIsGivenUpAndToldOnce() {
    assertThat(NativeLibrary.load()).as(NativeLibrary.problem()).isTrue();
    DecodeMonitor watch = DecodeWatchdog.of(health, SOON);
    try (LogCapture log = LogCapture.open();
        DecodeMonitor.Decode first = watch.begin(FILES);
        DecodeMonitor.Decode second = watch.begin(FILES)) {
      await().until(() -> health.problem() != null);
      assertThat(health.problem()).isEqualTo("decoding file:/a.parquet did not end");
      assertThat(log.messages(Level.ERROR))
          .singleElement()
          .asString()
          .contains("gives GPU 7 up", "file:/a.parquet", "Scans go on", "Restart the executor");
    }
  }

  /** The file is one that libcudf 26.08 does not come to an end with. */
  @Test
  @RequiresGpu
  void afterADamagedPageScansGoOnAndTheProcessEnds() throws Exception {
    String output = ChildJvm.toItsEnd(LIMIT, 0, EndlessDecode.class, folder, folder.toString());
    assertThat(output).contains(EndlessDecode.DONE);
  }

  /** A process that reads a page whose decoding never ends, unverified, and ends well itself. */
  static final class EndlessDecode {
    static final String DONE = "other scans gave what Spark's reader gives";

    private static final String DAMAGED = "/damaged/endless-zstd-page.parquet";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private EndlessDecode() {}

    /** Where a table goes. */
    public static void main(String[] arguments) throws Exception {
      SparkSession spark =
          Sessions.withPlugin(
              4,
              Map.of(
                  PoolEntries.SIZE.key(), "64m",
                  SqlEntries.PUSHDOWN.key(), "never",
                  ScanEntries.VERIFY_PAGES.key(), "none",
                  GpuEntries.DECODE_TIMEOUT.key(), "3s"));
      try (LogCapture log = LogCapture.open()) {
        FaultTables table = FaultTables.write(spark, Path.of(arguments[0]));
        ScanResults.assertReadByGpuAlone(table.scan(0));
        Path damaged =
            Path.of(Objects.requireNonNull(EndlessDecode.class.getResource(DAMAGED)).toURI());
        Thread reader = new Thread(() -> read(spark, damaged), "reader");
        reader.setDaemon(true);
        reader.start();
        await().atMost(PATIENCE).until(() -> !log.messages(Level.ERROR).isEmpty());
        assertThat(log.messages(Level.ERROR))
            .singleElement()
            .asString()
            .contains("decoding", damaged.getFileName().toString(), "has not ended within 3 s");
        assertThat(reader.isAlive()).isTrue();
        table.scan(1);
        assertThat(GpuRuntime.current().orElseThrow().usable()).isFalse();
      } finally {
        spark.stop();
      }
      System.out.println(DONE);
    }

    private static void read(SparkSession spark, Path file) {
      spark.read().format("mooring").load(file.toString()).collectAsList();
    }
  }
}
