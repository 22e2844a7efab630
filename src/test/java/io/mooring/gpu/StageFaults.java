package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.jni.FaultJni;
import io.mooring.metrics.FileFallbacks;
import io.mooring.stage.Stages;
import io.mooring.testing.LogCapture;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** One call fails in the middle of a stage: its rows are right, and the GPU goes on. */
final class StageFaults {
  private StageFaults() {}

  /** The session of {@link FaultTables}, with all files in one task or two, which merge groups. */
  static SparkSession session(Path folder) {
    return FaultTables.sessionWithStages(
        folder, "rand() * 1e9", Map.of("spark.sql.files.openCostInBytes", "1k"));
  }

  /**
   * Runs a query of the table of {@link FaultTables} before, during and after a fault.
   *
   * @return the query that met the fault
   */
  static Dataset<Row> assertRightUnder(SparkSession spark, InjectedFault fault, String query) {
    Dataset<Row> ours;
    List<String> expected =
        Sessions.with(
            spark, "spark.mooring.sql.enabled", "false", () -> ScanResults.rows(spark.sql(query)));
    Stages.assertOnGpuAlone(run(spark, query, expected));
    FileFallbacks.take();
    try (LogCapture log = LogCapture.open()) {
      FaultJni.failNth(fault.point(), fault.nth(), fault.error());
      ours = run(spark, query, expected);
      assertThat(FaultJni.fired()).as("faults that happened").isOne();
      System.out.println(
          fault
              + ": splits left to Spark "
              + Stages.metric(ours, "sparkSplits")
              + ", read on the GPU "
              + Stages.metric(ours, "gpuFiles")
              + ", told "
              + log.messages(Level.WARN));
      assertThat(log.messages(Level.ERROR)).isEmpty();
      assertThat(Stages.metric(ours, "sparkSplits")).isLessThanOrEqualTo(FaultTables.FILES);
    }
    GpuRuntime gpu = GpuRuntime.current().orElseThrow();
    assertThat(gpu.usable()).as(gpu.reason()).isTrue();
    FaultTables.assertNothingStays();
    FaultJni.clear();
    Stages.assertOnGpuAlone(run(spark, query, expected));
    return ours;
  }

  private static Dataset<Row> run(SparkSession spark, String query, List<String> expected) {
    Dataset<Row> data = spark.sql(query);
    assertThat(ScanResults.rows(data)).isEqualTo(expected);
    return data;
  }
}
