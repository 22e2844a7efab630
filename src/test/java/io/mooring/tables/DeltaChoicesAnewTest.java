package io.mooring.tables;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.commons.io.FileUtils;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;

/**
 * When the files of a Delta table are chosen anew: for other versions, and conditions that do not
 * last.
 */
class DeltaChoicesAnewTest extends DeltaFileChoices {
  @Test
  void aNewVersion_hasFilesOfItsOwn() throws Exception {
    String table = table("");
    String sql = "select s from " + table + " where id >= 950";
    assertThat(files(sql)).hasSize(1);
    append(table, 1000);
    assertThat(files(sql)).hasSize(11);
    assertThat(jobsOf(sql)).isZero();
    spark.sql("delete from " + table + " where id >= 1000");
    assertThat(spark.sql(sql).count()).isEqualTo(50);
    assertThat(files("select s from " + table + " version as of 1 where id >= 950")).hasSize(1);
    assertThat(files("select s from " + table + " version as of 2 where id >= 950")).hasSize(11);
    assertRows(sql);
    assertRows("select s from " + table + " version as of 2 where id >= 950");
  }

  @Test
  void aTableOfTheSamePath_isAnother() {
    String path = folder.resolve("path").toString();
    for (int i = 0; i < 3; i++) {
      spark.sql(
          "create table p" + i + " using delta location '" + path + "' as select " + i + " n");
      assertThat(spark.sql("select n from p" + i + " where n >= 0").first().getInt(0)).isEqualTo(i);
      spark.sql("drop table p" + i);
      FileUtils.deleteQuietly(new File(path));
    }
  }

  /** Their values may change without a new version. */
  @Test
  void conditionsThatDoNotLast_areNoReasonToKeepAChoice() throws Exception {
    String table = table("");
    String other = table("");
    String sql = "select s from " + table + " where id = (select max(id) from " + other + ")";
    assertThat(spark.sql(sql).first().getString(0)).isEqualTo("text 999");
    spark.sql("delete from " + other + " where id > 500");
    assertThat(spark.sql(sql).first().getString(0)).isEqualTo("text 500");
    String random = "select s from " + table + " where rand() < 2 and id < 100";
    assertThat(spark.sql(random).count()).isEqualTo(100);
    assertThat(spark.sql(random).count()).isEqualTo(100);
  }

  /** Each commit replaces all rows by as many of the next number. */
  @Test
  void scansOfOneQuery_readOneVersionWhileOthersAreWritten() throws Exception {
    spark.sql("create table moving using delta as select 0 n, id from range(0, 10, 1, 2)");
    AtomicBoolean over = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      Future<?> writer =
          threads.submit(
              () -> {
                for (int n = 1; !over.get(); n++) {
                  spark.sql(
                      "insert overwrite moving select " + n + " n, id from range(0, 10, 1, 2)");
                }
              });
      List<Future<?>> readers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        readers.add(
            threads.submit(
                () -> {
                  for (int round = 0; round < 15; round++) {
                    Row row =
                        spark
                            .sql(
                                "select count(*), count(distinct a.n) from moving a join (select n,"
                                    + " id from moving where id >= 0) b on a.id = b.id and a.n ="
                                    + " b.n")
                            .first();
                    assertThat(row.getLong(0)).isEqualTo(10);
                    assertThat(row.getLong(1)).isEqualTo(1);
                    long last =
                        spark
                            .sql(
                                "select id from moving where n = (select max(n) from moving where"
                                    + " id >= 0)")
                            .count();
                    assertThat(last).isEqualTo(10);
                  }
                }));
      }
      for (Future<?> reader : readers) {
        reader.get(5, TimeUnit.MINUTES);
      }
      over.set(true);
      writer.get(1, TimeUnit.MINUTES);
    } finally {
      over.set(true);
      threads.shutdownNow();
    }
  }

  /** A data frame knows the columns as they were, and reads the new version all the same. */
  @Test
  void columnsThatChangedPlaces_areNotMistakenForEachOther() {
    spark.sql(
        "create table places using delta as select id a, 99 - id b from range(0, 100, 1, 10)");
    spark.table("places").createOrReplaceTempView("before");
    spark.sql("alter table places alter column b first");
    assertSameAsDeltas("select a, b from places where b = 5");
    assertSameAsDeltas("select a, b from before where a = 5");
    spark.sql("alter table places add columns (c bigint first)");
    assertSameAsDeltas("select a, b from places where c is null");
    assertSameAsDeltas("select a, b from before where b = 7");
  }

  /** What such a condition means is another thing in another session, or later. */
  @Test
  void conditionsThatDependOnMore_areAskedAnew() {
    spark.conf().set("spark.databricks.delta.write.utcTimestampPartitionValues", "false");
    spark.sql("create table times (n int, t timestamp) using delta partitioned by (t)");
    for (int day = 1; day < 4; day++) {
      spark.sql("insert into times values (" + day + ", timestamp'2024-01-0" + day + " 20:00:00')");
    }
    for (String zone : List.of("UTC", "America/New_York", "Asia/Tokyo", "UTC")) {
      spark.conf().set("spark.sql.session.timeZone", zone);
      assertSameAsDeltas("select n from times where t > timestamp'2024-01-02T00:00:00Z'");
    }
    spark.conf().unset("spark.sql.session.timeZone");
    spark.conf().unset("spark.databricks.delta.write.utcTimestampPartitionValues");
    spark.sql("create table texts (n int, p string) using delta partitioned by (p)");
    spark.sql("insert into texts values (1, 'a'), (2, 'b'), (3, 'c')");
    AtomicInteger allowed = new AtomicInteger(1);
    spark
        .udf()
        .register(
            "allowed",
            (UDF1<String, Boolean>) text -> text.charAt(0) == 'a' + allowed.get() - 1,
            DataTypes.BooleanType);
    for (int n = 1; n < 4; n++) {
      allowed.set(n);
      assertThat(spark.sql("select n from texts where allowed(p)").first().getInt(0)).isEqualTo(n);
    }
  }

  /** No more jobs are run than without the rule, also where a choice serves no other query. */
  @Test
  void conditionsThatDoNotLast_takeNoMoreJobs() throws Exception {
    String table = table("");
    String other = table("");
    for (String sql :
        List.of(
            "select s from %1$s where id in (select id from %2$s where k = 1)",
            "select s from %1$s where id < 500 and rand() < 2",
            "select s from %1$s where _metadata.file_path like '%%part%%'",
            "select s from %1$s where id = (select max(id) from %2$s where k = 1)",
            "select a.s from %1$s a join %1$s b on a.id = b.id where a.k in (1, 2)")) {
      String text = String.format(sql, table, other);
      spark.conf().set("spark.mooring.sql.delta.enabled", "false");
      int deltas = jobsOf(text);
      spark.conf().unset("spark.mooring.sql.delta.enabled");
      assertThat(jobsOf(text)).as(sql).isLessThanOrEqualTo(deltas);
      assertThat(jobsOf(text)).as(sql).isLessThanOrEqualTo(deltas);
    }
  }

  /** Another commit gets the same number. */
  @Test
  void aTableThatWasRestoredFromABackup_isReadAsItIs() throws Exception {
    Path path = folder.resolve("restored");
    String ofPath = " from delta.`" + path + "` where n >= 0";
    spark.range(1).selectExpr("1 n").write().format("delta").save(path.toString());
    Path backup = folder.resolve("backup");
    FileUtils.copyDirectory(path.toFile(), backup.toFile());
    spark.range(1).selectExpr("2 n").write().format("delta").mode("append").save(path.toString());
    assertThat(spark.sql("select sum(n)" + ofPath).first().getLong(0)).isEqualTo(3);
    FileUtils.deleteDirectory(path.toFile());
    FileUtils.copyDirectory(backup.toFile(), path.toFile());
    // Modification times are kept in milliseconds.
    TimeUnit.MILLISECONDS.sleep(20);
    spark.range(1).selectExpr("5 n").write().format("delta").mode("append").save(path.toString());
    assertThat(spark.sql("select sum(n)" + ofPath).first().getLong(0)).isEqualTo(6);
  }
}
