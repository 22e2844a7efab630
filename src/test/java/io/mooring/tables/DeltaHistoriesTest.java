package io.mooring.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.Plans;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.ArrayList;
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
  private static final int HISTORIES = Integer.getInteger("mooring.test.histories", 6);
  private static final long SEED = Long.getLong("mooring.test.seed", System.nanoTime());

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
  void everyHistoryLeavesTheSameRows() {
    List<String> failures = new ArrayList<>();
    for (long seed = SEED; seed < SEED + HISTORIES; seed++) {
      try {
        check(seed);
      } catch (Exception | AssertionError e) {
        failures.add("-Dmooring.test.histories=1 -Dmooring.test.seed=" + seed + ": " + e);
      }
    }
    assertThat(failures).as("seed " + SEED).isEmpty();
  }

  private void check(long seed) {
    List<String> statements = DeltaHistory.of(seed);
    String ours = "ours_" + Long.toUnsignedString(seed);
    String deltas = "deltas_" + Long.toUnsignedString(seed);
    execute(statements, ours);
    Sessions.with(spark, "spark.mooring.sql.enabled", "false", () -> execute(statements, deltas));
    assertThat(rowsWithoutMooring(ours)).isEqualTo(rowsWithoutMooring(deltas));
    for (String query : DeltaHistory.queries(new Random(seed))) {
      read(query.replace(DeltaHistory.TABLE, ours));
    }
    int versions = spark.sql("describe history " + ours).collectAsList().size();
    read("select * from " + ours + " version as of " + new Random(seed).nextInt(versions));
  }

  private void execute(List<String> statements, String table) {
    for (String statement : statements) {
      spark.sql(statement.replace(DeltaHistory.TABLE, table));
    }
  }

  private List<String> rowsWithoutMooring(String table) {
    return Sessions.with(
        spark,
        "spark.mooring.sql.enabled",
        "false",
        () -> ScanResults.rows(spark.sql("select * from " + table)));
  }

  private void read(String query) {
    WithAndWithout both = WithAndWithout.run(spark, query);
    Dataset<Row> ours = both.ours();
    assertThat(Plans.sparks(ours)).as(query).isEmpty();
    // Delta answers some from its statistics: then nothing is read.
    if (RequiresGpu.Condition.gpuIsThere()) {
      assertThat(ScanResults.metric(ours, "cpuFiles")).as(query).isZero();
    }
  }
}
