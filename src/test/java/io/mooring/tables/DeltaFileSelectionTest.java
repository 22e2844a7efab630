package io.mooring.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mooring.catalyst.ScalaLists;
import io.mooring.scan.library.Library;
import io.mooring.testing.Plans;
import io.mooring.testing.ScanResults;
import io.mooring.testing.WithAndWithout;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.commons.io.FileUtils;
import org.apache.spark.SparkException;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The files that are chosen for queries of Delta tables, and when they are chosen anew. */
@Tag("tables")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeltaFileSelectionTest {
  @TempDir static Path folder;
  private final AtomicInteger jobs = new AtomicInteger();
  private SparkSession spark;
  private int tables;

  @BeforeAll
  void start() {
    spark = DeltaSessions.start(folder.resolve("warehouse"), Map.of());
    spark
        .sparkContext()
        .addSparkListener(
            new SparkListener() {
              @Override
              public void onJobStart(SparkListenerJobStart start) {
                jobs.incrementAndGet();
              }
            });
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  /** A table of ids up to 1,000 in ten files. */
  private String table(String properties) {
    String table = "t" + tables++;
    spark.sql(
        "create table " + table + " (id bigint, k bigint, s string) using delta" + properties);
    append(table, 0);
    return table;
  }

  private void append(String table, int from) {
    spark
        .range(from, from + 1000, 1, 10)
        .selectExpr("id", "id % 7 k", "concat('text ', id) s")
        .write()
        .format("delta")
        .mode("append")
        .saveAsTable(table);
  }

  private List<String> files(String sql) {
    return new ArrayList<>(new TreeSet<>(Arrays.asList(spark.sql(sql).inputFiles())));
  }

  /** The number of jobs that planning takes. */
  private int jobsOf(String sql) throws Exception {
    spark.sparkContext().listenerBus().waitUntilEmpty();
    int before = jobs.get();
    spark.sql(sql).queryExecution().executedPlan();
    spark.sparkContext().listenerBus().waitUntilEmpty();
    return jobs.get() - before;
  }

  private void assertRows(String sql) {
    WithAndWithout.run(spark, sql).assertOurs();
  }

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

  /** The rule must not make a difference to the rows, whatever came before. */
  private void assertSameAsDeltas(String sql) {
    List<String> ours = ScanResults.rows(spark.sql(sql));
    spark.conf().set("spark.mooring.sql.delta.enabled", "false");
    try {
      assertThat(ours).as(sql).isEqualTo(ScanResults.rows(spark.sql(sql)));
    } finally {
      spark.conf().unset("spark.mooring.sql.delta.enabled");
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
