package io.mooring.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.Plans;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Queries of TPC-DS over tables that Delta Lake and Iceberg wrote: rows as by the format's own
 * reader, plans as over Parquet. The folder is that of TpcdsTest, at scale 0.1 or more: below, the
 * largest table has fewer rows than the one of dates, which Iceberg knows.
 */
@Tag("tables")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@EnabledIfSystemProperty(named = "mooring.test.tpcds", matches = ".+")
class TpcdsFormatsTest {
  private static final Path DATA = Path.of(System.getProperty("mooring.test.tpcds", "."));
  private static final List<String> TABLES =
      List.of(
          "store_sales",
          "date_dim",
          "item",
          "customer_demographics",
          "promotion",
          "household_demographics",
          "time_dim",
          "store",
          "reason");

  @TempDir static Path folder;
  private SparkSession spark;

  @BeforeAll
  void start() {
    spark =
        FormatTables.start(
            folder.resolve("warehouse"),
            Map.of(
                "spark.sql.ansi.enabled", "false",
                "spark.sql.adaptive.enabled", "false",
                "spark.sql.autoBroadcastJoinThreshold", "-1"));
    Sessions.with(spark, "spark.mooring.sql.enabled", "false", this::write);
  }

  private void write() {
    for (FormatTables format : FormatTables.values()) {
      for (String table : TABLES) {
        Path file = DATA.resolve(table + ".parquet");
        format.write(spark, table, spark.read().parquet(file.toString()));
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

  @ParameterizedTest
  @ValueSource(strings = {"03", "07", "09", "42", "52", "55", "88", "96"})
  void plansAreThoseOfParquet(String query) throws IOException {
    String sql = Files.readString(DATA.resolve("queries/q" + query + ".sql")).strip();
    String text = sql.replaceAll(";$", "");
    List<String> expected =
        FormatTables.PARQUET.use(spark, () -> FormatTables.shape(spark.sql(text)));
    assertThat(expected).anyMatch(it -> it.toLowerCase(Locale.ROOT).contains("mooring"));
    for (FormatTables format : FormatTables.values()) {
      WithAndWithout both = format.use(spark, () -> WithAndWithout.run(spark, text));
      assertThat(Plans.sparks(both.ours())).isEmpty();
      IcebergSessions.assertNoneIsIcebergs(both.ours());
      assertThat(FormatTables.shape(both.ours())).as(format.name()).isEqualTo(expected);
    }
  }
}
