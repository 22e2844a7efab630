package io.mooring.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Times of TPC-DS queries over tables of Delta Lake and Iceberg, with default settings: beside
 * Mooring's over plain Parquet, and beside the format's own reader. It prints each run, and at the
 * end a table of medians in seconds. The folder is that of TpcdsTest, at scale 10 for figures.
 */
@Tag("tables")
@RequiresGpu
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@EnabledIfSystemProperty(named = "mooring.test.tpcds.times", matches = ".+")
class TpcdsFormatTimesTest {
  private static final Path DATA = Path.of(System.getProperty("mooring.test.tpcds.times", "."));
  private static final List<String> QUERIES = List.of("03", "07", "42", "52", "55", "88", "96");
  private static final List<String> TABLES =
      List.of(
          "store_sales",
          "date_dim",
          "item",
          "customer_demographics",
          "promotion",
          "household_demographics",
          "time_dim",
          "store");
  private static final int ROUNDS = 3;
  private static final double MOST_OF_PARQUET = 1.15;
  private static final double MOST_OF_OWN_READER = 0.5;

  /** Seconds of a query, in the order of the rounds; the first is the warm-up. */
  private final Map<String, Map<FormatTables, List<Double>>> ours = new HashMap<>();

  private final Map<String, Map<FormatTables, List<Double>>> theirs = new HashMap<>();

  @TempDir static Path folder;
  private SparkSession spark;

  @BeforeAll
  void start() {
    spark = FormatTables.start(folder.resolve("warehouse"), FormatTables.settingsForFigures());
    Sessions.with(spark, "spark.mooring.sql.enabled", "false", this::write);
  }

  private void write() {
    for (FormatTables format : FormatTables.values()) {
      for (String table : TABLES) {
        format.write(
            spark, table, spark.read().parquet(DATA.resolve(table + ".parquet").toString()));
      }
      if (format.hasDeletes()) {
        format.use(
            spark, () -> spark.sql("delete from store_sales where ss_ticket_number % 97 = 5"));
      }
    }
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  @Test
  void timesAreThoseOfParquetAndHalfOfTheOwnReaders() throws IOException {
    for (int round = 0; round <= ROUNDS; round++) {
      for (String query : QUERIES) {
        String sql = text(query);
        for (FormatTables format : FormatTables.values()) {
          List<String> rows = run(format, query, sql, ours);
          if (format.hasDeletes()) {
            List<String> expected =
                Sessions.with(
                    spark,
                    "spark.mooring.sql.enabled",
                    "false",
                    () -> run(format, query, sql, theirs));
            assertThat(rows).as("%s of %s", query, format).isEqualTo(expected);
          }
        }
      }
    }
    List<String> misses = new ArrayList<>();
    print(misses);
    assertThat(misses).isEmpty();
  }

  private List<String> run(
      FormatTables format,
      String query,
      String sql,
      Map<String, Map<FormatTables, List<Double>>> times) {
    long start = System.nanoTime();
    List<String> rows = format.use(spark, () -> ScanResults.rows(spark.sql(sql)));
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf(
        "run q%s %s %s %.3f%n", query, format, times == ours ? "mooring" : "own", seconds);
    times
        .computeIfAbsent(query, it -> new EnumMap<>(FormatTables.class))
        .computeIfAbsent(format, it -> new ArrayList<>())
        .add(seconds);
    return rows;
  }

  private void print(List<String> misses) {
    System.out.println("query format seconds of-parquet own-reader of-own-reader");
    for (FormatTables format : FormatTables.values()) {
      double logParquet = 0;
      double logOwn = 0;
      for (String query : QUERIES) {
        double time = median(ours.get(query).get(format));
        double ofParquet = time / median(ours.get(query).get(FormatTables.PARQUET));
        double own = format.hasDeletes() ? median(theirs.get(query).get(format)) : Double.NaN;
        logParquet += Math.log(ofParquet);
        logOwn += Math.log(time / own);
        System.out.printf(
            "q%s %s %.3f %.2f %.3f %.2f%n", query, format, time, ofParquet, own, time / own);
      }
      double ofParquet = Math.exp(logParquet / QUERIES.size());
      double ofOwn = Math.exp(logOwn / QUERIES.size());
      System.out.printf(
          "geomean %s of-parquet %.2f of-own-reader %.2f%n", format, ofParquet, ofOwn);
      if (ofParquet > MOST_OF_PARQUET) {
        misses.add(format + " takes " + ofParquet + " of Parquet's time");
      }
      if (ofOwn > MOST_OF_OWN_READER) {
        misses.add(format + " takes " + ofOwn + " of its own reader's time");
      }
    }
  }

  private static double median(List<Double> rounds) {
    return rounds.stream().skip(1).sorted().skip(ROUNDS / 2).findFirst().orElseThrow();
  }

  private static String text(String query) throws IOException {
    return Files.readString(DATA.resolve("queries/q" + query + ".sql"))
        .strip()
        .replaceAll(";$", "");
  }
}
