package io.mooring.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mooring.catalyst.ScalaLists;
import io.mooring.scan.library.Library;
import io.mooring.testing.Plans;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkException;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;

/** The files that are chosen for queries of Delta tables. */
class DeltaFileSelectionTest extends DeltaFileChoices {
  @Test
  void aChoice_servesEqualConditionsOfLaterQueries() throws Exception {
    String table = table("");
    String sql = "select s from " + table + " where id < 150 and k = 3";
    assertThat(jobsOf(sql)).isPositive();
    assertThat(jobsOf(sql)).isZero();
    assertThat(jobsOf("select max(k) from " + table + " where k = 3 and 150 > id")).isZero();
    assertThat(jobsOf(sql.replace("150", "151"))).isPositive();
    assertThat(jobsOf("select s from " + table)).isPositive();
    assertThat(files(sql)).hasSize(2);
    assertThat(files("select s from " + table)).hasSize(10);
    assertRows(sql);
    assertRows("select a.s, b.k from " + table + " a join " + table + " b on a.id = b.id + 1");
  }

  @Test
  void partitionsAndGeneratedColumns_areDeltas() {
    spark.sql("create table parts (id bigint, p int) using delta partitioned by (p)");
    spark
        .range(0, 100, 1, 1)
        .selectExpr("id", "int(id % 5) p")
        .write()
        .format("delta")
        .mode("append")
        .saveAsTable("parts");
    assertThat(files("select id from parts where p = 3")).hasSize(1);
    assertThat(files("select id from parts where p = 3 or p = 4")).hasSize(2);
    assertRows("select p, count(*) from parts where p > 1 group by p");
    createWithGeneratedColumn("generated");
    spark
        .range(0, 5, 1, 1)
        .selectExpr("timestamp'2024-01-01 10:00:00' + make_interval(0, 0, 0, int(id)) at", "id")
        .write()
        .format("delta")
        .mode("append")
        .saveAsTable("generated");
    String early = "select id from generated where at < timestamp'2024-01-02 00:00:00'";
    assertThat(spark.sql(early).count()).isEqualTo(1);
    assertThat(spark.sql(early).queryExecution().optimizedPlan().toString()).contains("day#");
  }

  /** Delta Lake's SQL cannot. */
  private void createWithGeneratedColumn(String table) {
    Library delta = new Library("Delta Lake");
    String type = "io.delta.tables.DeltaTable";
    Object day = delta.callStatic(type, "columnBuilder", spark, "day");
    day = delta.call(delta.call(day, "dataType", "date"), "generatedAlwaysAs", "cast(at as date)");
    Object builder = delta.call(delta.callStatic(type, "create", spark), "tableName", table);
    builder = delta.call(builder, "addColumn", "at", "timestamp");
    builder = delta.call(builder, "addColumn", "id", "bigint");
    builder = delta.call(builder, "addColumn", delta.call(day, "build"));
    delta.call(delta.call(builder, "partitionedBy", ScalaLists.seq(List.of("day"))), "execute");
  }

  @Test
  void whatTheLogAnswers_needsNoScan() {
    String table = table("");
    Dataset<Row> count = spark.sql("select count(*) from " + table);
    assertThat(count.first().getLong(0)).isEqualTo(1000);
    assertThat(Plans.ours(count)).isEmpty();
    assertThat(Plans.sparks(count)).isEmpty();
    assertThat(files("select * from " + table + " limit 5")).hasSize(1);
    assertRows("select count(*), sum(id) from " + table + " where k = 2");
  }

  @Test
  void otherSettingsOfASession_turnItOff() throws Exception {
    String table = table("");
    String sql = "select s from " + table + " where id < 150";
    assertThat(jobsOf(sql)).isPositive();
    for (String setting : List.of("spark.mooring.sql.delta.enabled", "spark.mooring.sql.enabled")) {
      spark.conf().set(setting, "false");
      assertThat(jobsOf(sql)).isPositive();
      spark.conf().unset(setting);
    }
    assertThat(jobsOf(sql)).isZero();
  }

  @Test
  void changesOfRows_readWhatTheirTransactionsDo() {
    String table = table(" tblproperties ('delta.enableDeletionVectors' = 'true')");
    String source = table("");
    spark.sql("update " + table + " set s = 'new' where k = 1");
    spark.sql(
        "merge into "
            + table
            + " t using "
            + source
            + " u on t.id = u.id and u.k = 2 when matched"
            + " then delete");
    spark.sql("delete from " + table + " where k = 3");
    spark.sql("insert into " + table + " select id + 5000, k, s from " + table + " where k = 4");
    assertRows("select * from " + table);
    assertThat(spark.sql("select * from " + table + " where k in (2, 3)").count()).isZero();
    assertThat(spark.sql("select * from " + table + " where s = 'new'").count()).isEqualTo(143);
  }

  /** Delta Lake asks for all files whether any has deleted rows, by a job of its own. */
  @Test
  void aChoice_servesTablesWithDeletedRows() throws Exception {
    String table = table(" tblproperties ('delta.enableDeletionVectors' = 'true')");
    spark.sql("delete from " + table + " where id = 117");
    String some = "select s from " + table + " where id < 150";
    String none = "select s from " + table + " where id >= 900";
    for (String sql : List.of(some, none)) {
      assertThat(jobsOf(sql)).isPositive();
      assertThat(jobsOf(sql)).isZero();
      assertRows(sql);
    }
    assertThat(spark.sql(some).count()).isEqualTo(149);
    spark.sql("delete from " + table + " where id = 950");
    assertThat(spark.sql(none).count()).isEqualTo(99);
    assertRows(none);
  }

  @Test
  void aCancelledChoice_cancelsTheQuery() throws Exception {
    String a = table("");
    String b = table("");
    String sql =
        "select a.s from " + a + " a join " + b + " b on a.id = b.id where a.k = 6 and b.k";
    SparkListener cancels =
        new SparkListener() {
          @Override
          public void onJobStart(SparkListenerJobStart start) {
            spark.sparkContext().cancelJob(start.jobId());
          }
        };
    spark.sparkContext().addSparkListener(cancels);
    try {
      for (int i = 0; i < 5; i++) {
        int k = i;
        assertThatThrownBy(
                () -> {
                  // Some jobs are over before they are cancelled.
                  for (int more = 0; more < 50; more++) {
                    spark.sql(sql + " = " + (k * 50 + more)).queryExecution().executedPlan();
                  }
                })
            .isInstanceOf(SparkException.class)
            .hasMessageContaining("cancelled");
      }
    } finally {
      spark.sparkContext().removeSparkListener(cancels);
    }
    assertRows(sql + " = 6");
  }

  @Test
  void jobsThatChooseFiles_areOfTheQuerysGroup() throws Exception {
    String a = table("");
    String b = table("");
    List<String> groups = new ArrayList<>();
    SparkListener listener =
        new SparkListener() {
          @Override
          public void onJobStart(SparkListenerJobStart start) {
            synchronized (groups) {
              groups.add(start.properties().getProperty("spark.jobGroup.id"));
            }
          }
        };
    spark.sparkContext().addSparkListener(listener);
    spark.sparkContext().setJobGroup("mine", "", true);
    try {
      spark
          .sql(
              "select * from " + a + " a join " + b + " b on a.id = b.id where a.k = 1 and b.k = 2")
          .queryExecution()
          .executedPlan();
      await().untilAsserted(() -> assertThat(groups).hasSizeGreaterThanOrEqualTo(2));
      assertThat(groups).containsOnly("mine");
    } finally {
      spark.sparkContext().clearJobGroup();
      spark.sparkContext().removeSparkListener(listener);
    }
  }
}
