package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;

import ai.rapids.cudf.Rmm;
import io.mooring.testing.Interpreted;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One row group of hundreds of MiB decoded within some chunks' worth of device memory. */
@Tag("forked-gpu")
@Tag("extended")
@RequiresGpu
class BoundedDecodeTest {
  private static final int ROWS = 16_000_000;
  private static final long DECODED_BYTES = ROWS * 24L;
  private static final long CHUNK_BYTES = 32L << 20;
  // Pages, chunk and what is kept of it, and as much again for what is small beside them.
  private static final long MOST_CHUNKS = 6;

  @TempDir Path folder;

  @Test
  void deviceMemoryIsBounded() {
    SparkSession spark =
        Sessions.withPlugin(
            1,
            Interpreted.compiledAnd(
                Map.of(
                    "spark.mooring.pinnedPool.size", "256m",
                    "spark.mooring.sql.pushdown", "always",
                    "spark.mooring.scan.decodeSize", String.valueOf(CHUNK_BYTES),
                    "spark.sql.files.maxPartitionBytes", "2g")));
    try {
      String path = folder.resolve("one-row-group").toString();
      spark
          .range(0, ROWS, 1, 1)
          .selectExpr("id", "id * 0.5D as half", "hash(id) * 3L as h")
          .write()
          .option("parquet.block.size", 1 << 30)
          .parquet(path);
      String sql = "select count(*), max(h), max(half), min(id) from %s.`%s` where id <> 5";
      Dataset<Row> ours = spark.sql(sql.formatted("mooring", path));
      ScanResults.assertSame(ours, spark.sql(sql.formatted("parquet", path)));
      ScanResults.assertReadByGpuAlone(ours);
      assertThat(ScanResults.metric(ours, "rowGroupsRead")).isEqualTo(1);
      assertThat(ScanResults.metric(ours, "chunksDecoded"))
          .isGreaterThanOrEqualTo(DECODED_BYTES / CHUNK_BYTES);
      long encoded =
          ScanResults.metric(ours, "bytesRead") + ScanResults.metric(ours, "cachedBytes");
      assertThat(Rmm.getMaximumTotalBytesAllocated())
          .isGreaterThan(encoded)
          .isLessThan(encoded + MOST_CHUNKS * CHUNK_BYTES)
          .isLessThan(encoded + DECODED_BYTES);
    } finally {
      spark.stop();
    }
  }
}
