package io.mooring.spark.plan.subqueries;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.Plans;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scalar sub-queries over one table read it once where that gives what each of them gives. */
@Tag("extended")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MergeSubqueriesTest {
  private static final int ROWS = 5_000;
  private static final String[] AGGREGATES = {
    "count(*)",
    "sum(quantity)",
    "avg(quantity)",
    "max(quantity)",
    "count(price)",
    "sum(id)",
    "avg(id)",
    "sum(price)",
    "avg(price)",
    "min(tax)",
    "max(tax)",
    "avg(tax)",
    "max(name)",
    "min(day)",
    "sum(quantity) / count(*) + 1",
    "count(if(quantity > 50, name, null))",
    "sum(case when tax > 3 then quantity when tax < 1 then -quantity end)"
  };
  private static final String[] CONDITIONS = {
    "quantity between 1 and 20",
    "quantity > 90",
    "quantity is null",
    "price < 20.5",
    "not (price > 50)",
    "tax > 8 or tax is null",
    "name like 'n1%'",
    "name in ('n3', 'n30', 'x')",
    "day >= date'2020-02-01'",
    "id % 2 = 1",
    "1 = 2",
    "id < 0"
  };

  @TempDir static Path folder;
  private final long seed = Long.getLong("mooring.test.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private SparkSession spark;

  @BeforeAll
  void start() {
    System.out.println("MergeSubqueriesTest seed " + seed);
    spark = Sessions.transparent(folder.resolve("warehouse"), Map.of());
    String columns =
        "id, if(id % 17 = 3, null, cast(id % 100 as int)) as quantity,"
            + " if(id % 11 = 5, null, cast((id * 7919 % 10007) / 100 as decimal(7, 2))) as price,"
            + " if(id % 13 = 2, null, (id * 31 % 37) / 4D) as tax,"
            + " if(id % 19 = 7, null, concat('n', id % 40)) as name,"
            + " date_add(date'2020-01-01', cast(id % 60 as int)) as day";
    spark.sql("create table sales using parquet as select " + columns + rows());
    spark.sql("create table other using parquet as select " + columns + rows());
    spark.sql(
        "create table parts using parquet partitioned by (part) as select id % 3 as part, "
            + columns
            + rows());
    spark.sql("create table one using parquet as select 1 as r");
  }

  private static String rows() {
    return " from range(0, " + ROWS + ", 1, 2)";
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  /** Scans of Mooring of a table; a sub-query that is used twice counts once. */
  private static int scans(Dataset<Row> data, String table) {
    Set<SparkPlan> found = Collections.newSetFromMap(new IdentityHashMap<>());
    found.addAll(Plans.ours(data));
    return (int) found.stream().filter(it -> it.simpleString(4000).contains(table)).count();
  }

  private WithAndWithout same(String sql) {
    return WithAndWithout.run(spark, sql);
  }

  private static String bucket(int bucket) {
    String from = " from sales where quantity between %1$d and %1$d + 19".formatted(bucket * 20);
    return "case when (select count(*)%1$s) > 300 then (select avg(price)%1$s)".formatted(from)
        + " else (select avg(tax)%1$s) end as bucket%2$d".formatted(from, bucket);
  }

  /** The shape of TPC-DS q9. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void bucketsAreReadAtOnce(String adaptive) {
    Sessions.with(
        spark,
        "spark.sql.adaptive.enabled",
        adaptive,
        () -> {
          String sql =
              IntStream.range(0, 5)
                  .mapToObj(MergeSubqueriesTest::bucket)
                  .collect(Collectors.joining(", ", "select ", " from one where r = 1"));
          WithAndWithout both = same(sql);
          assertThat(scans(both.ours(), "sales")).isEqualTo(1);
          assertThat(both.ours().queryExecution().toString()).contains("CASE WHEN");
        });
  }

  /** Often over columns that another one is over as well. */
  private String randomSubquery() {
    String aggregate = AGGREGATES[random.nextInt(random.nextBoolean() ? 4 : AGGREGATES.length)];
    List<String> conditions =
        random
            .ints(random.nextInt(3), 0, random.nextBoolean() ? 2 : CONDITIONS.length)
            .mapToObj(i -> "(" + CONDITIONS[i] + ")")
            .toList();
    String where = conditions.isEmpty() ? "" : " where " + String.join(" and ", conditions);
    return "(select " + aggregate + " from sales" + where + ")";
  }

  @RepeatedTest(5)
  void randomSubqueriesGiveWhatEachGives() {
    String all =
        IntStream.range(0, 2 + random.nextInt(6))
            .mapToObj(i -> randomSubquery() + " as c" + i)
            .collect(Collectors.joining(", "));
    same("select " + all + " from one");
    String condition = "(" + randomSubquery() + " is null) <> (" + randomSubquery() + " is null)";
    same("select r from one where " + condition);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select (select sum(id) from sales where id < 9) a, (select max(id) from sales) b",
        "select (select count(*) from sales where id < 9 and tax > 1) a,"
            + " (select count(*) from sales where tax > 1 and id > 9) b",
        "select r + (select count(tax) from sales where id < 9) from one"
            + " where r < (select avg(tax) from sales where id > 9)",
        "select (select count(*) from sales where tax < 1) a,"
            + " (select sum(id) from sales where tax < 1) b,"
            + " (select max(id) from sales where tax > 1) c",
        "select (select avg(price) from parts where part = 1 and id < 99) a,"
            + " (select max(price) from parts where part = 1 and id > 99) b"
      })
  void oneScanForAll(String sql) {
    String table = sql.contains("parts") ? "parts" : "sales";
    assertThat(scans(same(sql).ours(), table)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select (select count(*) from sales where id < 9) a, (select count(*) from other) b",
        "select (select count(distinct tax) from sales where id < 99) a,"
            + " (select count(*) from sales where id > 99) b",
        "select (select count(*) from parts where part = 1) a,"
            + " (select count(*) from parts where part = 2) b",
        "select (select sum(price * price) from sales where id < 9) a,"
            + " (select sum(price) from sales where id > 9) b",
        "select (select sum(quantity) from sales where id < 9) a, (select max(id) from sales) b",
        "select (select max(name) from sales where id = 9) a,"
            + " (select max(tax) from sales where id > 9) b",
        "select (select count(*) from sales where id = 9) a,"
            + " (select count(*) from sales where name = 'n9') b",
        "select (select max(id) from sales where monotonically_increasing_id() >= 0 and id < 99) a,"
            + " (select max(quantity) from sales where id > 99) b",
        "select (select count(*) from sales where id < 9 group by id % 1) a,"
            + " (select count(*) from sales where id > 9) b"
      })
  void othersStayAsTheyAre(String sql) {
    WithAndWithout both = same(sql);
    assertThat(both.ours().queryExecution().optimizedPlan().toString())
        .doesNotContain("AS merged#");
  }

  @Test
  void thoseOverOtherColumnsStayApart() {
    String sql =
        "select (select max(name) from sales where id = 9) a, (select max(tax) from sales) b,"
            + " (select avg(price) from sales where quantity < 9) c,"
            + " (select sum(price) from sales where quantity > 9) d,"
            + " (select min(tax) from sales where tax > 3) e";
    Dataset<Row> ours = same(sql).ours();
    // Spark 4.2 merges more of them itself.
    assertThat(scans(ours, "sales")).isBetween(2, 3);
    assertThat(ours.queryExecution().optimizedPlan().toString()).contains("AS merged#");
  }

  @Test
  void settingTurnsItOff() {
    String sql =
        "select (select max(id) from sales where tax > 1), (select min(id) from sales where tax <"
            + " 1)";
    Sessions.with(
        spark,
        "spark.mooring.sql.mergeSubqueries",
        "false",
        () -> assertThat(scans(same(sql).ours(), "sales")).isEqualTo(2));
    assertThat(scans(same(sql).ours(), "sales")).isEqualTo(1);
  }
}
