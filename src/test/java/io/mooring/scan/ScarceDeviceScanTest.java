package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;

import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.DeviceMemoryBuffer;
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

/** Device memory that somebody else has taken: units are halved until they fit. */
@Tag("forked")
@RequiresGpu
class ScarceDeviceScanTest {
  private static final long LEFT_BYTES = 600L << 20;
  private static final int ROWS = 32_000_000;
  private static final int ROW_GROUP_ROWS = 1_000_000;

  @TempDir Path folder;

  @Test
  void aUnitThatDoesNotFitIsReadInHalves() {
    SparkSession spark =
        Sessions.withPlugin(
            4,
            Map.of(
                "spark.mooring.pinnedPool.size", "256m",
                "spark.mooring.sql.pushdown", "always"));
    try {
      String path = folder.resolve("one-file").toString();
      spark
          .range(0, ROWS, 1, 1)
          .selectExpr("id", "id * 0.5D as half", "hash(id) as h")
          .write()
          .option("parquet.block.row.count.limit", ROW_GROUP_ROWS)
          .parquet(path);
      String sql = "select count(*), sum(h), max(half), min(id) from %s.`%s` where id <> 5";
      Dataset<Row> sparks = spark.sql(sql.formatted("parquet", path));
      Dataset<Row> ours = spark.sql(sql.formatted("mooring", path));
      try (DeviceMemoryBuffer taken =
          DeviceMemoryBuffer.allocate(Cuda.memGetInfo().free - LEFT_BYTES)) {
        assertThat(taken.getLength()).isPositive();
        ScanResults.assertSame(ours, sparks);
      }
      assertThat(ScanResults.metric(ours, "gpuFiles")).isEqualTo(1);
      assertThat(ScanResults.metric(ours, "cpuFiles")).isZero();
    } finally {
      spark.stop();
    }
  }
}
