package io.mooring.benchmarks.scan;

import static org.assertj.core.api.Assertions.assertThat;

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
    ScanPlan.COMMON.forEach(builder::config);
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
}
