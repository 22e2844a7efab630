package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mooring.conf.GpuEntries;
import io.mooring.conf.MooringConf;
import io.mooring.conf.PoolEntries;
import io.mooring.memory.PinnedPool;
import io.mooring.testing.LogCapture;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("whole-gpu")
@Tag("extended")
@RequiresGpu
class OversizedPoolTest {
  @TempDir Path folder;

  private static final String SIZE = PoolEntries.SIZE.key();
  // Leaves the GPU to other tests beside this one.
  private static final String FRACTION = GpuEntries.MEMORY_FRACTION.key();

  @Test
  void aPoolLargerThanTheMachineIsSmallerWithOneWarning() {
    try (LogCapture log = LogCapture.open()) {
      GpuRuntime gpu =
          GpuRuntime.start(MooringConf.from(Map.of(SIZE, "64t", FRACTION, "0.1")), List.of());
      assertThat(gpu.usable()).as(gpu.reason()).isTrue();
      await()
          .atMost(Duration.ofSeconds(120))
          .until(() -> PinnedPool.awaitStarted(Duration.ofSeconds(1)));
      assertThat(PinnedPool.stats().capacityBytes()).isLessThan(64L << 40);
      assertThat(log.messages(Level.WARN))
          .singleElement()
          .asString()
          .startsWith("The pinned pool gets")
          .contains(SIZE);
    }
    assertThatAQueryPasses();
  }

  private void assertThatAQueryPasses() {
    SparkSession spark = Sessions.withPlugin(2, Map.of(SIZE, "64t"));
    try {
      String path = folder.resolve("table").toString();
      spark.range(10_000).selectExpr("id", "cast(id as string) as s").write().parquet(path);
      Dataset<Row> ours = spark.sql("select sum(id), max(s) from mooring.`" + path + "`");
      ScanResults.assertSame(ours, spark.sql("select sum(id), max(s) from parquet.`" + path + "`"));
      ScanResults.assertReadByGpuIfThereIsOne(ours);
    } finally {
      spark.stop();
    }
  }
}
