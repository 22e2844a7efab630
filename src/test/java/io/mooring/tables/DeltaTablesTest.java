package io.mooring.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.datasource.PlannedScan;
import io.mooring.parquet.footer.UnreadableOnGpuException;
import io.mooring.scan.output.RowIndexes;
import io.mooring.scan.task.ScanWork;
import io.mooring.testing.Jobs;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tables that Delta Lake wrote, read as its own reader reads them. */
@Tag("tables")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeltaTablesTest {
  private static final String ROWS =
      "select id, id % 7 as k, concat('text ', id % 100) as s, cast(id / 3 as decimal(12, 2)) as d,"
          + " named_struct('x', id, 'y', string(id)) as n, array(id, id + 1) as a,"
          + " date'2020-01-01' + int(id % 50) as day";
  private static final String MAPPED = "'delta.columnMapping.mode' = 'name'";
  private static final String DELETING = "'delta.enableDeletionVectors' = 'true'";

  @TempDir static Path folder;
  private SparkSession spark;

  @BeforeAll
  void start() {
    spark = DeltaSessions.start(folder.resolve("warehouse"), Map.of());
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  private void create(String table, String partitions, String properties) {
    spark.sql(
        "create table "
            + table
            + " using delta "
            + partitions
            + " tblproperties ("
            + properties
            + ") as "
            + ROWS
            + " from range(0, 1000, 1, 3)");
  }

  private WithAndWithout run(String sql) {
    return WithAndWithout.run(spark, sql);
  }

  /** Queries of every kind: columns, conditions, aggregates, counts, parts of nested columns. */
  private void assertOurs(String table) {
    for (String query :
        List.of(
            "select * from %s",
            "select s, id from %s where k = 3 and id > 500",
            "select n.y, a[1], d from %s where n.x between 100 and 300",
            "select count(*), sum(id), max(s), min(d), count(a) from %s",
            "select k, count(*), sum(d) from %s where day < date'2020-01-20' group by k",
            "select count(*) from %s where id < 0 or s like '%%9'",
            "select t.id, u.s from %1$s t join %1$s u on t.id = u.id + 1 where u.k = 2",
            "select id from %s where id in (select max(id) from %1$s group by k)",
            "select id, _metadata.file_path, _metadata.file_size from %s where id %% 3 = 1",
            "select max(_metadata.file_modification_time), count(*) from %s where k < 4")) {
      WithAndWithout both = run(String.format(query, table));
      both.assertOurs();
    }
    ScanResults.assertReadByGpuAlone(WithAndWithout.run(spark, "select * from " + table).ours());
    if (hasRowIndexes(table)) {
      assertRowIndexes(table);
    }
  }

  /** Delta Lake has them in tables with deletion vectors, where it needs them. */
  private boolean hasRowIndexes(String table) {
    StructType fields =
        (StructType) spark.sql("select _metadata from " + table).schema().fields()[0].dataType();
    return List.of(fields.fieldNames()).contains("row_index");
  }

  /** Spark evaluates conditions in their order, and those on metadata may fail. */
  @Test
  void conditionsOnMetadataThatFailForOtherRows() {
    create("failing", "", DELETING);
    for (String condition :
        List.of(
            "cast(_metadata.file_name as int) > 3",
            "cast(_metadata.file_modification_time as tinyint) > 3",
            "100 / (_metadata.file_size - _metadata.file_size) > 1")) {
      run("select id from failing where id % 2 = 5 and " + condition).assertOurs();
    }
    run("select id from failing where _metadata.file_name > 'a' and k = 3").assertOurs();
  }

  private void assertRowIndexes(String table) {
    for (String query :
        List.of(
            "select *, _metadata.row_index from %s",
            "select id, _metadata.row_index i, _metadata.file_name from %s where k = 3 and id > 5",
            "select s from %s where _metadata.row_index between 30 and 50",
            "select _metadata.file_path p, max(_metadata.row_index), count(*) from %s where id > 9 group by all",
            "select t.id, u._metadata.row_index from %1$s t join %1$s u on t.id = u.id + 1")) {
      WithAndWithout both = run(String.format(query, table)).assertOurs();
      ScanResults.assertReadByGpuAlone(both.ours());
    }
    assertPlanned("select s, _metadata.row_index from " + table);
    run("select _metadata.row_index from " + table)
        .assertSparks("the query asks for nothing but row indexes");
  }

  /** What a GPU would make, planned without one. */
  private void assertPlanned(String sql) {
    try {
      for (ScanWork work : PlannedScan.work(spark.sql(sql))) {
        assertThat(RowIndexes.of(((ScanWork.Decode) work).unit()).spans()).isNotEmpty();
      }
    } catch (UnreadableOnGpuException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void plain() {
    create("plain", "", "'delta.appendOnly' = 'false'");
    assertOurs("plain");
    assertOurs("delta.`" + spark.sql("describe detail plain").first().getAs("location") + "`");
  }

  @Test
  void partitioned() {
    create("partitioned", "partitioned by (k, day)", "'delta.appendOnly' = 'false'");
    spark.sql("insert into partitioned select 5000, null, 's', 1, null, null, null");
    assertOurs("partitioned");
    WithAndWithout some = run("select id, k from partitioned where k = 3 and day is not null");
    long files = spark.sql("describe detail partitioned").first().getAs("numFiles");
    assertThat(ScanResults.filesRead(some.ours())).isBetween(1L, files / 6);
    spark.sql("create table chosen using delta as select 3L as k, 'three' as name");
    run("select id, name from partitioned join chosen using (k) where name > 'a'").assertOurs();
  }

  @Test
  void columnsMappedByName() {
    create("mapped", "partitioned by (k)", MAPPED);
    assertOurs("mapped");
    spark.sql("alter table mapped rename column s to renamed");
    spark.sql("alter table mapped rename column n.y to z");
    spark.sql("alter table mapped add column s int");
    spark.sql("alter table mapped drop column d");
    spark.sql(
        "insert into mapped (id, k, renamed, s) values (7000, 1, 'late', 17), (7001, 9, null, 18)");
    run("select * from mapped").assertOurs();
    run("select renamed, n.z, s from mapped where s = 17 or renamed = 'text 3'").assertOurs();
    run("select s, count(*), max(renamed) from mapped where k < 5 group by s").assertOurs();
    run("select id from mapped where n.z = '15' and s is null").assertOurs();
  }

  @Test
  void columnsMappedById() {
    Sessions.with(
        spark,
        "spark.sql.parquet.fieldId.read.enabled",
        "true",
        () -> {
          create("mapped_by_id", "partitioned by (k)", "'delta.columnMapping.mode' = 'id'");
          assertOurs("mapped_by_id");
          spark.sql("alter table mapped_by_id rename column s to renamed");
          spark.sql("alter table mapped_by_id add column s int");
          spark.sql("insert into mapped_by_id (id, k, renamed, s) values (7000, 1, 'late', 17)");
          run("select * from mapped_by_id").assertOurs();
          run("select renamed, s from mapped_by_id where s = 17 or renamed = 'text 3'")
              .assertOurs();
        });
  }

  @Test
  void filesAreSkippedByDeltasStatistics() {
    spark
        .range(0, 1000, 1, 10)
        .selectExpr("id", "string(id) as s")
        .write()
        .format("delta")
        .saveAsTable("skipped");
    WithAndWithout both = run("select s from skipped where id = 550");
    both.assertOurs();
    assertThat(ScanResults.filesRead(both.ours())).isEqualTo(1);
    WithAndWithout some = run("select s from skipped where id + 0 > 5 and id < 150");
    assertThat(ScanResults.filesRead(some.ours())).isEqualTo(2);
    assertThat(run("select count(*) from skipped").ours().count()).isOne();
  }

  /** Choosing files is a job of Spark, which Delta runs when it plans, and is not to run again. */
  @Test
  void filesAreChosenOnce() {
    create("chosen_once", "partitioned by (k)", DELETING);
    spark.sql("delete from chosen_once where id = 17");
    for (String query :
        List.of(
            "select s from chosen_once",
            "select s, id from chosen_once where k = 3 and id > 500 and s like '%7'",
            "select sum(id) from chosen_once where id + 1 > 5 and n.x < 700 and k in (1, 2)")) {
      // The first reads the log as well.
      Jobs.of(spark, query);
      long ours = Jobs.of(spark, query);
      spark.conf().set("spark.mooring.sql.enabled", "false");
      long deltas = Jobs.of(spark, query);
      spark.conf().unset("spark.mooring.sql.enabled");
      // Delta looks beforehand whether any file has a deletion vector.
      assertThat(ours).as(query).isLessThan(deltas);
    }
  }

  @Test
  void earlierVersions() {
    create("versions", "", DELETING);
    spark.sql("delete from versions where id % 2 = 0");
    spark.sql("update versions set s = 'new' where id < 100");
    for (int version = 0; version < 3; version++) {
      run("select * from versions version as of " + version).assertOurs();
      run("select count(*), sum(id) from versions version as of " + version + " where s < 'z'")
          .assertOurs();
    }
    assertThat(spark.sql("select * from versions version as of 0").count()).isEqualTo(1000);
    assertThat(spark.sql("select * from versions").count()).isEqualTo(500);
  }

  @Test
  void generatedColumns() {
    DeltaSessions.createGenerated(spark, "generated");
    spark.sql("insert into generated (id) select id from range(1000)");
    WithAndWithout both = run("select id, thousandth, k from generated where thousandth > 0.3");
    assertThat(both.assertOurs().ours().count()).isPositive();
    run("select k, max(thousandth), count(*) from generated group by k").assertOurs();
  }

  @Test
  void clusteredTables() {
    spark.sql(
        "create table clustered (id bigint, k bigint, s string) using delta cluster by (k, id)");
    spark.sql("insert into clustered select id, id % 7, string(id) from range(1000)");
    spark.sql("optimize clustered");
    run("select * from clustered where k = 3 and id > 100").assertOurs();
    create("ordered", "", "'delta.appendOnly' = 'false'");
    spark.sql("optimize ordered zorder by (k, id)");
    assertOurs("ordered");
  }

  @Test
  void deletedRowsAreLeftOut() {
    create("deleted", "partitioned by (k)", DELETING);
    spark.sql("delete from deleted where id % 3 = 1");
    assertThat(deletedByVectors("deleted")).isEqualTo(333);
    assertOurs("deleted");
    run("select count(*) from deleted where k = 2").assertOurs();
    spark.sql("delete from deleted where id between 100 and 800");
    spark.sql("update deleted set s = 'new' where id % 10 = 9");
    spark.sql("delete from deleted where k = 4");
    assertOurs("deleted");
    assertThat(run("select * from deleted").ours().count()).isPositive();
  }

  /** How many rows of a version of a table deletion vectors say are deleted. */
  private long deletedByVectors(String table) {
    String log =
        spark.sql("describe detail " + table).first().getAs("location") + "/_delta_log/*.json";
    return spark
        .read()
        .json(log)
        .selectExpr("sum(add.deletionVector.cardinality)")
        .first()
        .getLong(0);
  }
}
