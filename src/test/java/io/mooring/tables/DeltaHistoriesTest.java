package io.mooring.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.Plans;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random inserts, deletes, updates, merges and changes of the schema: what they read through
 * Mooring, and what is read of their tables, is what it is without Mooring.
 */
@Tag("tables")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeltaHistoriesTest {

  @TempDir static Path folder;
  private SparkSession spark;

  @BeforeAll
  void start() {
    spark =
        DeltaSessions.start(
            folder.resolve("warehouse"),
            // Files of several row groups, and several files to a unit.
            Map.of(
                "spark.hadoop.parquet.block.row.count.limit", "64",
                "spark.databricks.delta.optimizeWrite.enabled", "false"));
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  @Test
  void everyHistoryLeavesTheSameRows() throws InterruptedException {
    Histories.checkAll(spark, DeltaHistoriesTest::check);
  }

  private static void check(SparkSession session, long seed) {
    String ours = "ours_" + Long.toUnsignedString(seed);
    Histories.write(session, DeltaHistory.of(seed), ours, "deltas_" + Long.toUnsignedString(seed));
    Histories.read(
        session,
        DeltaHistory.queries(new Random(seed)),
        ours,
        DeltaHistoriesTest::assertNoneIsSparks);
    int versions = session.sql("describe history " + ours).collectAsList().size();
    String earlier = "select * from TABLE version as of " + new Random(seed).nextInt(versions);
    Histories.read(session, List.of(earlier), ours, DeltaHistoriesTest::assertNoneIsSparks);
  }

  private static void assertNoneIsSparks(Dataset<Row> data) {
    assertThat(Plans.sparks(data)).isEmpty();
    // Delta answers some from its statistics: then nothing is read.
    if (RequiresGpu.Condition.gpuIsThere()) {
      assertThat(ScanResults.metric(data, "cpuFiles")).isZero();
    }
  }
}
