package io.mooring.spark.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.Interpreted;
import io.mooring.testing.SalesTable;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Functions of distinct values, which scans can do the first step of. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DistinctAggregateTest {
  private static final int RANDOM_QUERIES = 12;

  @TempDir static Path folder;
  private SparkSession spark;

  @BeforeAll
  void start() {
    spark =
        Sessions.transparent(
            folder.resolve("warehouse"),
            Interpreted.and(Map.of("spark.mooring.sql.stages", "never")));
    SalesTable.create(spark);
    spark.sql("create table nothing using parquet as select * from sales where row < 0");
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  private WithAndWithout same(String sql) {
    return WithAndWithout.run(spark, sql).assertOurs();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select count(distinct kind) from sales",
        "select avg(price), count(price), count(distinct price) from sales where quantity between 0"
            + " and 5",
        "select day, count(distinct quantity), sum(quantity), avg(tax), min(sold), max(price)"
            + " from sales group by day",
        "select day, kind, count(distinct sold), count(*), count(tax), avg(quantity) from sales"
            + " where tax is not null group by day, kind",
        "select sum(distinct quantity), avg(distinct quantity), count(distinct quantity),"
            + " avg(weight), sum(weight) from sales",
        "select sum(price), sum(distinct price), avg(distinct price) from sales",
        "select count(distinct tax) + 1, avg(tax) / 2, count(*) from sales having count(*) > 10",
        "select day from sales group by day having count(distinct kind) > 3 and sum(quantity) > 5",
        "select count(distinct row), min(row), max(row) from sales"
      })
  void theScanDoesTheFirstStep(String sql) {
    WithAndWithout both = same(sql);
    assertThat(both.scansAggregate()).isTrue();
    ScanResults.assertReadByGpuAlone(both.ours());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select count(distinct price), avg(price), sum(quantity) from nothing",
        "select count(distinct price), avg(price), count(*), max(sold) from sales where quantity >"
            + " 1000"
      })
  void ofNoRowsThereIsOneResult(String sql) {
    assertThat(same(sql).scansAggregate()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select count(distinct weight) from sales",
        "select count(distinct quantity, kind) from sales",
        "select count(distinct quantity), count(distinct kind) from sales",
        "select count(distinct quantity), sum(total) from sales",
        "select count(distinct quantity), avg(row) from sales",
        "select count(distinct quantity), try_sum(row) from sales",
        "select count(distinct quantity), first(day), stddev(quantity) from sales",
        "select count(distinct quantity), count(*) filter (where kind = 'k1') from sales",
        "select count(distinct quantity) filter (where kind = 'k1') from sales",
        "select count(distinct quantity + row) from sales",
        "select collect_set(kind), count(distinct kind) from sales where kind = 'k1'"
      })
  void whatCannotBePushedIsRightAllTheSame(String sql) {
    assertThat(same(sql).scansAggregate()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void ansiModeMakesNoDifference(String ansi) {
    String sql = "select kind, count(distinct day), sum(price), avg(tax) from sales group by kind";
    Sessions.with(
        spark,
        "spark.sql.ansi.enabled",
        ansi,
        () -> assertThat(same(sql).scansAggregate()).isTrue());
  }

  @Test
  void randomOnesAreSparks() {
    long seed = System.nanoTime();
    System.out.println("DistinctAggregateTest seed " + seed);
    Random random = new Random(seed);
    for (int i = 0; i < RANDOM_QUERIES; i++) {
      same(query(random));
    }
  }

  private static String query(Random random) {
    String[] values = {"quantity", "price", "tax", "kind", "sold", "day", "row"};
    String[] others = {
      "count(*)",
      "count(tax)",
      "sum(price)",
      "avg(price)",
      "avg(tax)",
      "sum(quantity)",
      "min(kind)",
      "max(sold)",
      "avg(weight)",
      "avg(quantity)",
      "count(distinct %s)",
      "max(tax) is null"
    };
    String value = values[random.nextInt(values.length)];
    StringBuilder sql = new StringBuilder("select count(distinct " + value + ")");
    for (int i = random.nextInt(4); i > 0; i--) {
      sql.append(", ").append(others[random.nextInt(others.length)].formatted(value));
    }
    String key = values[random.nextInt(values.length - 1)];
    boolean grouped = random.nextBoolean();
    sql.append(grouped ? ", " + key : "").append(" from sales");
    sql.append(random.nextBoolean() ? " where quantity < " + (1 + random.nextInt(110)) : "");
    return sql.append(grouped ? " group by " + key : "").toString();
  }
}
