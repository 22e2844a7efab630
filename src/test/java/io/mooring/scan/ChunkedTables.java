package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.metrics.FileFallbacks;
import io.mooring.testing.RandomTables;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Tables of few, small pages, decoded to tables of 64 KiB. Not thread-safe. */
final class ChunkedTables implements AutoCloseable {
  static final int ROWS = 12_000;
  static final String ALL = "select * from %s";

  /** Filters and aggregates of {@link #flat} that leave several chunks something to give. */
  static final List<String> QUERIES =
      List.of(
          "select a_string, an_int, a_binary from %s where an_int > 0",
          "select * from %s where a_string like '%%e%%' or a_double > 1e9",
          "select count(*), sum(an_int), min(a_string), max(a_timestamp), count(a_decimal64) from"
              + " %s",
          "select a_byte, count(*), sum(an_int), max(a_string) from %s group by a_byte");

  private static final int DISTINCT_ROWS = 50;
  // Chunks end where pages do.
  private static final int[] PAGE_ROWS = {100, 200, 500};

  private final Path folder;
  private final Random random;
  private final SparkSession spark;
  private int tables;

  ChunkedTables(Path folder, Random random) {
    this.folder = folder;
    this.random = random;
    this.spark =
        Sessions.withPlugin(
            2,
            Map.of(
                "spark.mooring.pinnedPool.size", "256m",
                "spark.mooring.sql.pushdown", "always",
                "spark.mooring.scan.decodeSize", "64k",
                "spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS"));
  }

  SparkSession spark() {
    return spark;
  }

  @Override
  public void close() {
    spark.stop();
  }

  String write(
      Dataset<Row> rows, String codec, String version, boolean dictionary, String... partitions) {
    String path = folder.resolve("t" + tables++).toString();
    rows.write()
        .partitionBy(partitions)
        .option("compression", codec)
        .option("parquet.writer.version", version)
        .option("parquet.enable.dictionary", dictionary)
        .option("parquet.page.row.count.limit", PAGE_ROWS[random.nextInt(PAGE_ROWS.length)])
        .option("parquet.page.size", (1 << 10) << random.nextInt(8))
        .option("parquet.page.size.row.check.min", 10)
        .option("parquet.page.size.row.check.max", 100)
        .parquet(path);
    return path;
  }

  /** Random rows of every flat type. */
  Dataset<Row> flat(boolean repeated) {
    List<Row> rows = new RandomTables(random.nextLong()).rows(repeated ? DISTINCT_ROWS : ROWS);
    List<Row> all = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      all.add(rows.get(repeated ? random.nextInt(DISTINCT_ROWS) : i));
    }
    return spark.createDataFrame(all, RandomTables.ALL_TYPES).coalesce(1);
  }

  /** Rows of one file, numbered by {@code id}. */
  Dataset<Row> numbered(String... columns) {
    return spark.range(0, ROWS, 1, 1).selectExpr(columns);
  }

  /** Runs a query over a table of ours and over the rows that were written to it. */
  Dataset<Row> same(String sql, String path, Dataset<Row> written) {
    written.createOrReplaceTempView("written");
    Dataset<Row> ours = spark.sql(sql.formatted("mooring.`" + path + "`"));
    assertThat(ScanResults.rows(ours))
        .isEqualTo(ScanResults.rows(spark.sql(sql.formatted("written"))));
    return ours;
  }

  static void assertChunked(Dataset<Row> ours, int least) {
    assertThat(ScanResults.metric(ours, "cpuFiles")).as(() -> "" + FileFallbacks.take()).isZero();
    assertThat(ScanResults.metric(ours, "gpuFiles")).isPositive();
    assertThat(ScanResults.metric(ours, "chunksDecoded")).isGreaterThanOrEqualTo(least);
  }
}
