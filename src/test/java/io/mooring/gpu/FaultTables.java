package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mooring.conf.GpuEntries;
import io.mooring.conf.PoolEntries;
import io.mooring.conf.ScanEntries;
import io.mooring.memory.PinnedPool;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** A table that is read while things fail, and what Spark's own reader makes of it. */
final class FaultTables {
  static final int FILES = 8;
  // Libcudf keeps a few small blocks for the life of the process; a unit of a table takes more.
  private static final long SMALL_BYTES = 64 << 10;
  private static final int ROW_GROUPS_OF_A_FILE = 8;
  private static final int ROWS_OF_A_ROW_GROUP = 500;
  private static final String QUERY = "select * from %s.`%s` where id %% 3 = %d";

  private final SparkSession spark;
  private final String path;

  private FaultTables(SparkSession spark, String path) {
    this.spark = spark;
    this.path = path;
  }

  /** A session whose transparent scans of the table {@code t} have a unit for each row group. */
  static SparkSession sessionWithStages(Path folder, String text, Map<String, String> more) {
    Map<String, String> settings = new HashMap<>(Map.of(GpuEntries.DEVICES.key(), "first"));
    settings.putAll(more);
    settings.put(PoolEntries.SIZE.key(), "64m");
    settings.put(ScanEntries.COALESCE_SIZE.key(), "0");
    settings.put("spark.mooring.sql.pushdown", "never");
    SparkSession spark = Sessions.transparent(folder.resolve("warehouse"), settings);
    String path = folder.resolve("t").toString();
    spark
        .range(0, 40_000, 1, FILES)
        .selectExpr(
            "id",
            "cast(id % 1000 as decimal(12,2)) price",
            "concat('k', id % 7) kind",
            "cast(" + text + " as string) text")
        .write()
        .option("parquet.block.row.count.limit", 1000)
        .parquet(path);
    spark.read().parquet(path).createOrReplaceTempView("t");
    return spark;
  }

  /** No unit and no host buffer is left behind. */
  static void assertNothingStays() {
    GpuRuntime gpu = GpuRuntime.current().orElseThrow();
    await().until(() -> gpu.devices().areIdle());
    await().until(() -> PinnedPool.stats().bytesInUse() < SMALL_BYTES);
  }

  /** Takes all room that a device has left for objects. */
  static void takeAll(Room room) {
    for (long bytes = 1L << 40; bytes >= 1L << 20; bytes /= 2) {
      takeWhileThereIs(room, bytes);
    }
  }

  private static void takeWhileThereIs(Room room, long bytes) {
    try {
      while (true) {
        room.take(bytes);
      }
    } catch (RefusedException e) {
      assertThat(e).hasMessageContaining("no room");
    }
  }

  /** Values are random, as is their order: the same for no two runs. */
  static FaultTables write(SparkSession spark, Path folder) {
    String path = folder.resolve("table").toString();
    spark
        .range(0, (long) FILES * ROW_GROUPS_OF_A_FILE * ROWS_OF_A_ROW_GROUP, 1, FILES)
        .selectExpr("id", "rand() as r", "cast(rand() * 1e9 as string) as s")
        .write()
        .option("parquet.block.row.count.limit", ROWS_OF_A_ROW_GROUP)
        .parquet(path);
    return new FaultTables(spark, path);
  }

  /** A third of the rows through Mooring. */
  Dataset<Row> ours(int third) {
    return spark.sql(QUERY.formatted("mooring", path, third));
  }

  List<String> expected(int third) {
    return ScanResults.rows(spark.sql(QUERY.formatted("parquet", path, third)));
  }

  /** Runs a query of ours, and returns it with its metrics. */
  Dataset<Row> scan(int third) {
    Dataset<Row> ours = ours(third);
    assertThat(ScanResults.rows(ours)).isNotEmpty().isEqualTo(expected(third));
    return ours;
  }
}
