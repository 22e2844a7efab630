package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mooring.conf.GpuEntries;
import io.mooring.conf.PoolEntries;
import io.mooring.conf.ScanEntries;
import io.mooring.conf.SqlEntries;
import io.mooring.testing.LogCapture;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.apache.logging.log4j.Level;
import org.apache.spark.sql.SparkSession;

/** A process that reads a page whose decoding never ends, unverified, and ends well itself. */
final class EndlessDecode {
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
