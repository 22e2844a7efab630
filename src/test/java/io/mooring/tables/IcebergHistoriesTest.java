package io.mooring.tables;

import static org.assertj.core.api.Assertions.assertThat;

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
 * Random inserts, deletes, updates, merges and changes of schema and partitions: what they read
 * through Mooring, and what is read of their tables, is what it is without Mooring.
 */
@Tag("tables")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IcebergHistoriesTest {

  @TempDir static Path folder;
  private SparkSession spark;

  @BeforeAll
  void start() {
    spark = IcebergSessions.start(folder.resolve("warehouse"), Map.of());
    spark.sql("create namespace if not exists db");
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  @Test
  void everyHistoryLeavesTheSameRows() throws InterruptedException {
    Histories.checkAll(spark, IcebergHistoriesTest::check);
  }

  private static void check(SparkSession session, long seed) {
    List<String> statements = IcebergHistory.of(seed);
    String ours = "db.ours_" + Long.toUnsignedString(seed);
    String theirs = "db.icebergs_" + Long.toUnsignedString(seed);
    // Files in which a field of a struct has a narrower type are left to Spark's reader.
    boolean onGpu = !statements.contains(IcebergHistory.WIDER_FIELD);
    Histories.write(session, statements, ours, theirs);
    Histories.read(
        session, IcebergHistory.queries(new Random(seed)), ours, it -> assertOurs(it, onGpu));
    for (String query : IcebergHistory.scans(new Random(seed))) {
      PlannedRows.check(session, query.replace(Histories.TABLE, ours), ours);
    }
    List<Row> snapshots =
        session.sql("select snapshot_id from " + ours + ".snapshots").collectAsList();
    long snapshot = snapshots.get(new Random(seed).nextInt(snapshots.size())).getLong(0);
    Histories.read(
        session,
        List.of("select * from TABLE version as of " + snapshot),
        ours,
        it -> assertOurs(it, onGpu));
    session.sql("drop table " + ours);
    session.sql("drop table " + theirs);
  }

  private static void assertOurs(Dataset<Row> data, boolean onGpu) {
    IcebergSessions.assertNoneIsIcebergs(data);
    if (onGpu && RequiresGpu.Condition.gpuIsThere()) {
      assertThat(ScanResults.metric(data, "cpuFiles")).isZero();
    }
  }
}
