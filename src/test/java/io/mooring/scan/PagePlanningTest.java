package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.datasource.PlannedScan;
import io.mooring.parquet.read.SparseUnitFile;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.testing.RandomConditions;
import io.mooring.testing.RandomTables;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Pages that a plan leaves out, because their values rule their rows out; needs no GPU. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PagePlanningTest {
  private static final int ROWS = 10_000;
  private static final int PAGE_ROWS = 500;
  private static final int PAGES = ROWS / PAGE_ROWS;
  private static final int CONDITIONS = 4;
  private static final List<String> CODECS = List.of("snappy", "zstd", "gzip", "none");

  @TempDir static Path folder;
  private final long seed = Long.getLong("mooring.test.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private SparkSession spark;

  @BeforeAll
  void start() {
    System.out.println("PagePlanningTest seed " + seed);
    spark =
        Sessions.withPlugin(
            2,
            Map.of(
                "spark.mooring.pinnedPool.size", "64m",
                "spark.mooring.scan.mergeDistance", "0",
                "spark.mooring.scan.skipPages", "true",
                "spark.mooring.sql.pushdown", "always",
                "spark.sql.parquet.datetimeRebaseModeInWrite", "CORRECTED"));
    spark
        .range(0, ROWS, 1, 1)
        .selectExpr(
            "id", "id * 7919 % 10007 as other", "sha2(string(id), 256) as text", "id / 4D as real")
        .write()
        .option("parquet.enable.dictionary", "false")
        .option("parquet.page.row.count.limit", PAGE_ROWS)
        .option("parquet.page.size.row.check.min", 100)
        .option("parquet.page.size.row.check.max", 100)
        .parquet(folder.resolve("sorted").toString());
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  private Dataset<Row> sorted(String... options) {
    var reader = spark.read().format("mooring");
    for (int i = 0; i < options.length; i += 2) {
      reader.option(options[i], options[i + 1]);
    }
    return reader.load(folder.resolve("sorted").toString());
  }

  private static int pagesSkipped(Dataset<Row> query) throws Exception {
    return units(query).stream().mapToInt(ReadUnit::pagesSkipped).sum();
  }

  private static List<ReadUnit> units(Dataset<Row> query) throws Exception {
    return PlannedScan.of(query).plans().stream().flatMap(plan -> plan.units().stream()).toList();
  }

  @Test
  void pagesOfOtherColumnsAreLeftOut() throws Exception {
    assertThat(pagesSkipped(sorted().filter("id = 1234"))).isEqualTo(3 * (PAGES - 1));
    assertThat(pagesSkipped(sorted().filter("id between 1400 and 1600")))
        .isEqualTo(3 * (PAGES - 2));
    assertThat(pagesSkipped(sorted().filter("id in (1, 9999)"))).isEqualTo(3 * (PAGES - 2));
    assertThat(pagesSkipped(sorted().filter("id < 500 and text > 'a'"))).isEqualTo(2 * (PAGES - 1));
    assertThat(pagesSkipped(sorted().select("text").filter("id = 1234"))).isEqualTo(PAGES - 1);
  }

  @Test
  void nothingIsLeftOutWhereLittleIsSavedOrItIsForbidden() throws Exception {
    assertThat(pagesSkipped(sorted().filter("id < 6000"))).isZero();
    assertThat(pagesSkipped(sorted().filter("other = 1234"))).isZero();
    assertThat(pagesSkipped(sorted().select("id").filter("id = 1234"))).isZero();
    Dataset<Row> without = sorted("parquet.filter.columnindex.enabled", "false");
    assertThat(pagesSkipped(without.filter("id = 1234"))).isZero();
  }

  /** Spark's filter could fail on values that are in no file. */
  @Test
  void nothingIsLeftOutWhereSparkSeesRowsThatAreRuledOut() throws Exception {
    assertThat(pagesSkipped(sorted().filter("id = 1234 and upper(text) > 'A'"))).isPositive();
    assertThat(pagesSkipped(sorted().filter("id = 1234 and (other > 3 or upper(text) > 'A')")))
        .isPositive();
    // The scan leaves lists of floating point numbers to Spark.
    assertThat(pagesSkipped(sorted().filter("id = 1234 and real in (308.5D, 0.25D)"))).isZero();
    spark.conf().set("spark.mooring.sql.pushdown", "never");
    try {
      assertThat(pagesSkipped(sorted().filter("id = 1234"))).isZero();
    } finally {
      spark.conf().set("spark.mooring.sql.pushdown", "always");
    }
  }

  @RepeatedTest(10)
  void whatIsReadHoldsEveryRowThatIsWanted(RepetitionInfo run) throws Exception {
    Path table = folder.resolve("random" + run.getCurrentRepetition());
    String[] columns = RandomTables.ALL_TYPES.fieldNames();
    String sorted = columns[random.nextInt(columns.length)];
    write(table, sorted);
    Dataset<Row> sparks = spark.read().parquet(table.toString());
    RandomConditions conditions = new RandomConditions(random, sparks.collectAsList());
    for (int i = 0; i < CONDITIONS; i++) {
      Column condition = conditions.on(sorted);
      Dataset<Row> ours = spark.read().format("mooring").load(table.toString()).filter(condition);
      Path left = table.resolveSibling(table.getFileName() + "-left" + i);
      if (writeLeft(ScanResults.firstParquetFile(table), left, units(ours))) {
        Sessions.with(
            spark,
            "spark.sql.parquet.filterPushdown",
            "false",
            () -> {
              Dataset<Row> read = spark.read().schema(sparks.schema()).parquet(left.toString());
              assertThat(ScanResults.rows(read.filter(condition)))
                  .as(condition.toString())
                  .isEqualTo(ScanResults.rows(sparks.filter(condition)));
            });
      }
    }
  }

  private void write(Path table, String sorted) {
    spark
        .createDataFrame(new RandomTables(random.nextLong()).rows(400), RandomTables.ALL_TYPES)
        .coalesce(1)
        .sortWithinPartitions(sorted)
        .write()
        .option("compression", CODECS.get(random.nextInt(CODECS.size())))
        .option("parquet.enable.dictionary", random.nextBoolean())
        .option("parquet.block.row.count.limit", 50 + random.nextInt(400))
        .option("parquet.page.row.count.limit", 5 + random.nextInt(40))
        .option("parquet.page.size.row.check.min", 1)
        .option("parquet.page.size.row.check.max", 1)
        .parquet(table.toString());
  }

  /** What the units read, as files; false when they read every page. */
  private static boolean writeLeft(Path file, Path table, List<ReadUnit> units) throws Exception {
    Files.createDirectory(table);
    byte[] whole = Files.readAllBytes(file);
    for (int i = 0; i < units.size(); i++) {
      Files.write(table.resolve("unit" + i + ".parquet"), SparseUnitFile.of(whole, units.get(i)));
    }
    return units.stream().anyMatch(unit -> unit.pagesSkipped() > 0);
  }
}
