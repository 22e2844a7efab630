package io.mooring.benchmarks.worker.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

class ScanMetricsTest {

  @Test
  void engineIsWhoDecodedTheFiles() {
    assertThat(ScanMetrics.engine(Map.of("gpuFiles", 3L, "cpuFiles", 0L))).isEqualTo("gpu");
    assertThat(ScanMetrics.engine(Map.of("gpuFiles", 3L, "cpuFiles", 1L))).isEqualTo("mixed");
    assertThat(ScanMetrics.engine(Map.of("gpuFiles", 0L, "cpuFiles", 1L))).isEqualTo("cpu");
    assertThat(ScanMetrics.engine(Map.of("numFiles", 7L))).isEqualTo("cpu");
    assertThat(ScanMetrics.engine(Map.of("peerScans", 1L))).isEqualTo("gpu");
  }

  @Test
  void thePeerNamesItsScans() {
    assertThat(ScanMetrics.isPeerScan("GpuScan parquet ")).isTrue();
    assertThat(ScanMetrics.isPeerScan("GpuBatchScan parquet")).isTrue();
    assertThat(ScanMetrics.isPeerScan("Scan parquet ")).isFalse();
  }

  @Test
  void exchangesOfSparkAndOfThePeerCountAlike() {
    assertThat(ScanMetrics.exchange("ShuffleExchangeExec")).contains("shuffleExchanges");
    assertThat(ScanMetrics.exchange("GpuShuffleExchangeExec")).contains("shuffleExchanges");
    assertThat(ScanMetrics.exchange("BroadcastExchangeExec")).contains("broadcastExchanges");
    assertThat(ScanMetrics.exchange("GpuBroadcastExchangeExec")).contains("broadcastExchanges");
    assertThat(ScanMetrics.exchange("ReusedExchangeExec")).isEmpty();
    assertThat(ScanMetrics.exchange("BroadcastHashJoinExec")).isEmpty();
  }

  @Test
  void onlyTheQueryItselfIsCounted() throws Exception {
    SparkSession spark =
        SparkSession.builder()
            .master("local[1]")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "1")
            .getOrCreate();
    try {
      ScanMetrics metrics = new ScanMetrics();
      spark.listenerManager().register(metrics);
      Dataset<Row> query =
          spark.sql("SELECT id % 3 AS k, count(*) FROM range(0, 10, 1, 2) GROUP BY 1");
      // A table format runs queries of its own while Spark plans: they end first.
      spark.range(5).collectAsList();
      query.collectAsList();
      assertThat(metrics.of(List.of(query.queryExecution()), false))
          .containsEntry("shuffleExchanges", 1L);
      spark.range(5).collectAsList();
      query.write().format("noop").mode("overwrite").save();
      assertThat(metrics.of(List.of(query.queryExecution()), true))
          .containsEntry("shuffleExchanges", 1L);
    } finally {
      spark.stop();
    }
  }
}
