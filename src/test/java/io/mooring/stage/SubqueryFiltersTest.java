package io.mooring.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.datasource.ScanReaderFactory;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The filters that row groups are pruned by once the sub-queries of conditions have run. */
class SubqueryFiltersTest {
  private static final String RAISING =
      "select sum(price) from sales where 12 div id > 0 and day > (select max(day) from loaded)";

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = Sessions.transparent(folder.resolve("warehouse"), Map.of());
    write(
        "sales",
        spark
            .range(1, 101, 1, 1)
            .selectExpr(
                "id",
                "cast(id as int) day",
                "timestamp'2024-01-01 00:00:00' + make_interval(0, 0, 0, 0, cast(id as int)) ts",
                "concat('day ', id) name",
                "cast(id as decimal(9,2)) price",
                "cast(id as double) ratio",
                "id % 7 as `a.b`",
                "date_add(date'1850-10-01', cast(id as int)) old"));
    write("loaded", spark.table("sales").where("id < 91"));
  }

  private static void write(String table, Dataset<Row> rows) {
    String path = folder.resolve(table).toString();
    rows.write().parquet(path);
    spark.read().parquet(path).createOrReplaceTempView(table);
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  /** The filters of the stage over sales beside those that the scan has anyway. */
  private static List<String> filters(String query) {
    Dataset<Row> ours = WithAndWithout.run(spark, query).assertOurs().ours();
    return Stages.of(ours).stream()
        .filter(stage -> stage.toString().contains("/sales"))
        .map(SparkPlan::execute)
        // Where a result makes an expression one of Spark's alone, the rows are Spark's.
        .filter(StageRdd.class::isInstance)
        .map(rows -> (ScanReaderFactory) ((StageRdd) rows).factory())
        .flatMap(readers -> readers.context().pruning().filters().stream())
        .map(Object::toString)
        .filter(filter -> !filter.startsWith("IsNotNull"))
        .toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          day > (select max(day) from loaded) | GreaterThan(day,90)
          day >= (select max(day) from loaded) - 7 | GreaterThanOrEqual(day,83)
          (select min(day) from loaded) = day | EqualTo(day,1)
          day <=> (select min(day) from loaded) | EqualNullSafe(day,1)
          name > (select max(name) from loaded where id < 5) | GreaterThan(name,day 4)
          price < (select min(price) from loaded) | LessThan(price,1.00)
          ratio > (select max(ratio) from loaded where ratio < 7) | GreaterThan(ratio,6.0)
          ratio >= (select min(ratio) - 1 from loaded) | GreaterThanOrEqual(ratio,-0.0)
          id > (select max(id) from loaded) and `a.b` = 3 | GreaterThan(id,90)
          id = (select max(id) from loaded) or day < (select min(day) from loaded) \
          | Or(EqualTo(id,90),LessThan(day,1))
          id > (select max(id) from loaded) and ratio + (select min(ratio) from loaded) > 5 \
          | GreaterThan(id,90)
          """)
  void aConditionThatASubqueryCompletes_isAFilter(String condition, String filter) {
    assertThat(filters("select sum(price) from sales where " + condition)).contains(filter);
  }

  @Test
  void aTime_isComparedWithWhatIsComputedOfTheResult() {
    String query =
        "select sum(price) from sales where ts > (select max(ts) from loaded) - interval 1 day";
    assertThat(filters(query))
        .singleElement()
        .asString()
        .matches("GreaterThan\\(ts,2024-01-03.18:00:00.*\\)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "day > (select max(day) from loaded where id < 0)",
        "day + 1 > (select max(day) from loaded)",
        "day > (select max(day) from loaded) or day + 1 < id",
        "not (day > (select max(day) from loaded) and day + 1 < id)",
        "id > if(price < 0, 1 div (select min(id) - 1 from loaded), 3)",
        "cast(id - (select min(id) from loaded) as boolean)",
        "old > (select min(old) from loaded)",
        "id > if(price < 0, from_json(concat('{bad', (select max(name) from loaded)),"
            + " 'a int', map('mode', 'FAILFAST')).a, 3)"
      })
  void whatPrunesNothing_isNoFilter(String condition) {
    assertThat(filters("select sum(price) from sales where " + condition)).isEmpty();
  }

  @Test
  void otherConditions_mayRaiseErrorsWhereSparkLosesThemToo() {
    Sessions.with(
        spark,
        "spark.sql.ansi.enabled",
        "true",
        () -> {
          assertThat(filters(RAISING)).hasSize(spark.version().startsWith("3.") ? 0 : 1);
          // Spark prunes by no result that it has yet to compute with.
          assertThat(filters(RAISING + " - 7")).isEmpty();
        });
  }

  @Test
  void sparksSetting_holdsForSubqueriesToo() {
    Sessions.with(
        spark,
        "spark.sql.parquet.filterPushdown",
        "false",
        () ->
            assertThat(
                    filters(
                        "select sum(price) from sales where day > (select max(day) from loaded)"))
                .isEmpty());
  }
}
