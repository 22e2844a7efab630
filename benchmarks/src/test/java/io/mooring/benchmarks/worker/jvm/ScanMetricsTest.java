package io.mooring.benchmarks.worker.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
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
}
