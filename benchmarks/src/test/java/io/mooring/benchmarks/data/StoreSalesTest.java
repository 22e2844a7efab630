package io.mooring.benchmarks.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.benchmarks.query.ScanQuery;
import io.mooring.benchmarks.query.TpcdsQueries;
import io.mooring.benchmarks.worker.WorkerProcess;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class StoreSalesTest {

  private static final long ROWS = 4000;
  private static SparkSession spark;

  @BeforeAll
  static void start() {
    SparkSession.Builder builder = SparkSession.builder().master("local[2]");
    WorkerProcess.COMMON_CONF.forEach(builder::config);
    spark = builder.getOrCreate();
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  private static List<Row> rows(long seed, int partitions) {
    return StoreSales.rows(spark, ROWS, seed, partitions).collectAsList();
  }

  @Test
  void contentDependsOnSeedAndRowAlone() {
    List<Row> rows = rows(42, 1);
    assertThat(rows(42, 7)).isEqualTo(rows);
    assertThat(StoreSales.rows(spark, 10, 42, 1).collectAsList()).isEqualTo(rows.subList(0, 10));
    assertThat(rows(43, 1)).isNotEqualTo(rows);
  }

  @Test
  void valuesHaveTheShapeOfStoreSales() {
    StoreSales.rows(spark, ROWS, 42, 2).createOrReplaceTempView("t");
    Row row =
        spark
            .sql(
                "SELECT min(quantity), max(quantity), min(net_paid) >= 0, max(net_paid) <= 20000,"
                    + " max(abs(net_paid * 100 - round(net_paid * 100))) < 1e-6,"
                    + " count(DISTINCT ticket_number), count(*) FROM t")
            .head();
    assertThat(List.of(row.getInt(0), row.getInt(1))).containsExactly(1, 100);
    assertThat(List.of(row.getBoolean(2), row.getBoolean(3), row.getBoolean(4))).containsOnly(true);
    assertThat(row.getLong(5)).isEqualTo(row.getLong(6));
  }

  @Test
  void datesAndTicketsAreSorted() {
    List<Row> rows = rows(42, 3);
    assertThat(rows).extracting(row -> row.<Integer>getAs("sold_date_sk")).isSorted();
    assertThat(rows).extracting(row -> row.<Long>getAs("ticket_number")).isSorted();
  }

  @Test
  void typesAreThoseOfStoreSales() {
    String types =
        StoreSales.rows(spark, 1, 42, 1).schema().toDDL().replaceAll("[a-z_]+ | NOT NULL", "");
    assertThat(types.split(",")).hasSize(23);
    assertThat(types.split(",")).filteredOn("INT"::equals).hasSize(10);
    assertThat(types.split(",")).filteredOn("DOUBLE"::equals).hasSize(12);
  }

  /** The queries need all days, and tickets of several stores: real files have both. */
  private static void viewOfAllDays() {
    spark.conf().set("spark.sql.shuffle.partitions", "2");
    StoreSales.rows(spark, ROWS, 42, 2)
        .selectExpr(
            "* EXCEPT (sold_date_sk, ticket_number, store_sk)",
            "cast(2450816 + pmod(xxhash64(ticket_number), 1826) AS int) AS sold_date_sk",
            "pmod(ticket_number, 40) AS ticket_number",
            "pmod(store_sk, 16) AS store_sk")
        .createOrReplaceTempView(ScanQuery.VIEW);
  }

  @Test
  void queriesInTheShapeOfTpcdsFindRows() {
    viewOfAllDays();
    for (String name : TpcdsQueries.COLUMNS.keySet()) {
      List<Row> rows = spark.sql(TpcdsQueries.sql(name)).collectAsList();
      assertThat(rows).as(name).isNotEmpty();
      assertThat(rows).as(name).allMatch(row -> row.length() > 2);
    }
    assertThat(spark.sql(TpcdsQueries.sql("q2")).count()).isEqualTo(52);
    assertThat(spark.sql(TpcdsQueries.sql("q95")).head().getLong(0)).isPositive();
    Row halves = spark.sql(TpcdsQueries.sql("q88")).head();
    assertThat(halves.length()).isEqualTo(8);
    assertThat(halves.toSeq().mkString("")).containsPattern("[1-9]");
    assertThat(spark.sql(TpcdsQueries.sql("q28")).head().getLong(1)).isPositive();
  }
}
