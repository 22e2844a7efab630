package io.mooring.benchmarks.nds;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The suite's tables and queries, small and in memory. */
class NdsTest {

  private static final long SALES = 60_000;
  private static final long SEED = 42;
  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.sql.session.timeZone", "UTC")
            .getOrCreate();
    Money.register(spark);
    for (NdsTable table : NdsData.tables(SEED, SALES)) {
      table.rows(spark, 2).cache().createOrReplaceTempView(table.name());
    }
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  private static NdsTable table(long seed, String name) {
    return NdsData.tables(seed, SALES).stream()
        .filter(table -> table.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static List<Row> sql(String text) {
    return spark.sql(text).collectAsList();
  }

  @Test
  void contentDoesNotDependOnPartitions() {
    List<Row> rows = table(SEED, "web_returns").rows(spark, 1).collectAsList();
    assertThat(rows).hasSize((int) (SALES / 40));
    assertThat(table(SEED, "web_returns").rows(spark, 5).collectAsList()).isEqualTo(rows);
    assertThat(table(SEED + 1, "web_returns").rows(spark, 1).collectAsList()).isNotEqualTo(rows);
  }

  @Test
  void moneyHasTheTypeAndTheRangesOfTpcds() {
    Row row =
        sql("SELECT typeof(max(ss_list_price)), min(ss_wholesale_cost), max(ss_wholesale_cost),"
                + " min(ss_coupon_amt), count_if(ss_sales_price > ss_list_price),"
                + " count_if(ss_ext_sales_price <> ss_quantity * ss_sales_price),"
                + " count_if(ss_net_paid <> ss_ext_sales_price - ss_coupon_amt) FROM store_sales")
            .get(0);
    assertThat(row.getString(0)).isEqualTo("decimal(7,2)");
    assertThat(row.getDecimal(1)).isBetween(BigDecimal.ONE, BigDecimal.valueOf(2));
    assertThat(row.getDecimal(2)).isBetween(BigDecimal.valueOf(99), BigDecimal.valueOf(100));
    assertThat(row.getDecimal(3)).isZero();
    assertThat(List.of(row.getLong(4), row.getLong(5), row.getLong(6))).containsOnly(0L);
  }

  @Test
  void keysFindTheirRows() {
    Row row =
        sql("SELECT count(*), count(d_date_sk), count(t_time_sk), count(hd_demo_sk),"
                + " count(s_store_sk), count(ca_address_sk),"
                + " count_if(s_store_sk IS NULL AND ss_store_sk IS NOT NULL) FROM store_sales"
                + " LEFT JOIN date_dim ON ss_sold_date_sk = d_date_sk"
                + " LEFT JOIN time_dim ON ss_sold_time_sk = t_time_sk"
                + " LEFT JOIN household_demographics ON ss_hdemo_sk = hd_demo_sk"
                + " LEFT JOIN store ON ss_store_sk = s_store_sk"
                + " LEFT JOIN customer_address ON ss_addr_sk = ca_address_sk")
            .get(0);
    assertThat(row.getLong(0)).isEqualTo(SALES);
    for (int i = 1; i < 6; i++) {
      assertThat(row.getLong(i)).isBetween(SALES * 94 / 100, SALES * 98 / 100);
    }
    assertThat(row.getLong(6)).isZero();
  }

  @Test
  void daysAreThoseOfTheCalendar() {
    Row row =
        sql("SELECT d_day_name, d_year, d_qoy, d_week_seq FROM date_dim"
                + " WHERE d_date = date'2000-02-27' OR d_date_sk = "
                + Calendar.FIRST_SALE
                + " ORDER BY d_date DESC")
            .get(0);
    assertThat(row.getString(0)).isEqualTo("Sunday");
    assertThat(row.getInt(1)).isEqualTo(2000);
    assertThat(row.getInt(2)).isEqualTo(1);
    assertThat(sql("SELECT count(*) FROM date_dim GROUP BY d_week_seq HAVING count(*) > 7"))
        .isEmpty();
    assertThat(sql("SELECT d_date FROM date_dim WHERE d_date_sk = " + Calendar.FIRST_SALE))
        .hasToString("[[1998-01-02]]");
  }

  @Test
  void everyQueryFindsSomething() {
    Map<String, List<Row>> results = new TreeMap<>();
    NdsQueries.NAMES.forEach(name -> results.put(name, sql(NdsQueries.sql(name))));
    assertThat(results.get("q2")).hasSizeGreaterThan(50 * 49);
    assertThat(results.get("q9").get(0).length()).isEqualTo(5);
    assertThat(results.get("q28").get(0).length()).isEqualTo(18);
    assertThat(results.get("q31")).isNotEmpty();
    assertThat(results.get("q88").get(0).length()).isEqualTo(8);
    for (String name : List.of("q9", "q28", "q88", "q95")) {
      assertThat(results.get(name)).as(name).hasSize(1);
      assertThat(results.get(name).get(0).anyNull()).as(name).isFalse();
      assertThat(((Number) results.get(name).get(0).get(0)).doubleValue()).as(name).isPositive();
    }
  }
}
