package io.mooring.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random inserts, deletes, updates, merges and changes of schema and partitions: what they read
 * through Mooring, and what is read of their tables, is what it is without Mooring.
 */
@Tag("tables")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IcebergHistoriesTest {
  private static final int HISTORIES = Integer.getInteger("mooring.test.histories", 6);
  private static final long SEED = Long.getLong("mooring.test.seed", System.nanoTime());

  @TempDir static Path folder;
  private SparkSession spark;

  @BeforeAll
  void start() {
    spark = IcebergSessions.start(folder.resolve("warehouse"), Map.of());
    // Before, statements have to name every column of a table of a catalog.
    assumeThat(spark.version()).isGreaterThanOrEqualTo("4.1");
    spark.sql("create namespace if not exists db");
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
    List<String> statements = IcebergHistory.of(seed);
    String ours = "db.ours_" + Long.toUnsignedString(seed);
    String icebergs = "db.icebergs_" + Long.toUnsignedString(seed);
    execute(statements, ours);
    Sessions.with(spark, "spark.mooring.sql.enabled", "false", () -> execute(statements, icebergs));
    assertThat(rowsWithoutMooring(ours)).isEqualTo(rowsWithoutMooring(icebergs));
    for (String query : IcebergHistory.queries(new Random(seed))) {
      read(query.replace(IcebergHistory.TABLE, ours));
    }
    for (String query : IcebergHistory.scans(new Random(seed))) {
      PlannedRows.check(spark, query.replace(IcebergHistory.TABLE, ours), ours);
    }
    List<Row> snapshots =
        spark.sql("select snapshot_id from " + ours + ".snapshots").collectAsList();
    long snapshot = snapshots.get(new Random(seed).nextInt(snapshots.size())).getLong(0);
    read("select * from " + ours + " version as of " + snapshot);
    spark.sql("drop table " + ours);
    spark.sql("drop table " + icebergs);
  }

  private void execute(List<String> statements, String table) {
    for (String statement : statements) {
      spark.sql(statement.replace(IcebergHistory.TABLE, table));
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
    IcebergSessions.assertNoneIsIcebergs(both.ours());
    if (RequiresGpu.Condition.gpuIsThere()) {
      assertThat(ScanResults.metric(both.ours(), "cpuFiles")).as(query).isZero();
    }
  }
}
