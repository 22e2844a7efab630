package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;

import ai.rapids.cudf.DeviceMemoryBuffer;
import io.mooring.gpu.GpuRuntime;
import io.mooring.testing.Interpreted;
import io.mooring.testing.LogCapture;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Device memory that somebody else has taken: units are halved or chunked until they fit. */
@Tag("forked-gpu")
@Tag("extended")
@RequiresGpu
class ScarceDeviceScanTest {
  private static final long STEP_BYTES = 32L << 20;
  private static final String QUERY =
      "select count(*), sum(h), max(half), min(id) from %s.`%s` where id <> 5";

  @TempDir Path folder;

  @Test
  void aUnitThatDoesNotFitIsReadInHalves() {
    long chunks =
        chunks(8_000_000, 250_000, 160L << 20, "Device memory did not suffice for a part of");
    assertThat(chunks).isZero();
  }

  @Test
  void aRowGroupThatDoesNotFitIsDecodedInChunks() {
    long chunks =
        chunks(
            32_000_000, 32_000_000, 1200L << 20, "Device memory did not suffice for a row group");
    assertThat(chunks).isGreaterThan(1);
  }

  /** How many come of a query over one file with so much device memory left, and a warning. */
  private long chunks(int rows, int rowGroupRows, long left, String warning) {
    SparkSession spark =
        Sessions.withPlugin(
            1,
            Interpreted.compiledAnd(
                Map.of(
                    "spark.mooring.pinnedPool.size", "256m",
                    "spark.mooring.sql.pushdown", "always",
                    "spark.sql.files.maxPartitionBytes", "2g")));
    List<DeviceMemoryBuffer> taken = new ArrayList<>();
    try (LogCapture log = LogCapture.open()) {
      String path = folder.resolve("one-file").toString();
      spark
          .range(0, rows, 1, 1)
          .selectExpr("id", "id * 0.5D as half", "hash(id) as h")
          .write()
          .option("parquet.block.size", 1_500_000_000)
          .option("parquet.block.row.count.limit", rowGroupRows)
          .parquet(path);
      Dataset<Row> sparks = spark.sql(QUERY.formatted("parquet", path));
      Dataset<Row> ours = spark.sql(QUERY.formatted("mooring", path));
      assertThat(GpuRuntime.current().orElseThrow().usable()).isTrue();
      takeAllBut(left, taken);
      ScanResults.assertSame(ours, sparks);
      assertThat(log.messages(Level.WARN)).anyMatch(message -> message.startsWith(warning));
      assertThat(ScanResults.metric(ours, "gpuFiles")).isEqualTo(1);
      assertThat(ScanResults.metric(ours, "cpuFiles")).isZero();
      return ScanResults.metric(ours, "chunksDecoded");
    } finally {
      taken.forEach(DeviceMemoryBuffer::close);
      spark.stop();
    }
  }

  /** What the allocator holds back counts too: so all is taken, and some of it given back. */
  private static void takeAllBut(long left, List<DeviceMemoryBuffer> taken) {
    List<DeviceMemoryBuffer> spared = new ArrayList<>();
    for (long done = 0; done < left; done += STEP_BYTES) {
      spared.add(DeviceMemoryBuffer.allocate(STEP_BYTES));
    }
    for (long bytes = 8L << 30; bytes >= STEP_BYTES; bytes /= 2) {
      takeAll(bytes, taken);
    }
    spared.forEach(DeviceMemoryBuffer::close);
  }

  private static void takeAll(long bytes, List<DeviceMemoryBuffer> taken) {
    try {
      while (true) {
        taken.add(DeviceMemoryBuffer.allocate(bytes));
      }
    } catch (OutOfMemoryError full) {
      // This much is not there in one piece.
    }
  }
}
