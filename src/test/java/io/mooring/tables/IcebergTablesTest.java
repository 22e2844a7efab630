package io.mooring.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.ScanResults;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tables that Iceberg wrote, read as its own reader reads them. */
@Tag("tables")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IcebergTablesTest {
  private static final String ROWS =
      "select id, id % 7 as k, concat('text ', id % 100) as s, cast(id / 3 as decimal(12, 2)) as d,"
          + " named_struct('x', id, 'y', string(id)) as n, array(id, id + 1) as a,"
          + " date'2020-01-01' + int(id % 50) as day";

  @TempDir static Path folder;
  private SparkSession spark;

  @BeforeAll
  void start() {
    spark = IcebergSessions.start(folder.resolve("warehouse"), Map.of());
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  private void create(String table, String partitions, String properties) {
    spark.sql(
        "create table db."
            + table
            + " using iceberg "
            + partitions
            + " tblproperties ('made.by' = 'a test'"
            + properties
            + ") as "
            + ROWS
            + " from range(0, 1000, 1, 3)");
  }

  private WithAndWithout run(String sql) {
    WithAndWithout both = WithAndWithout.run(spark, sql);
    IcebergSessions.assertNoneIsIcebergs(both.ours());
    return both;
  }

  /** Queries of every kind: columns, conditions, aggregates, counts, parts of nested columns. */
  private void assertOurs(String table) {
    for (String query :
        List.of(
            "select * from %s",
            "select s, id from %s where k = 3 and id > 500",
            "select n.y, a[1], d from %s where n.x between 100 and 300",
            "select count(*), sum(id), max(s), min(d), count(a) from %s where id >= 0",
            "select k, count(*), sum(d) from %s where day < date'2020-01-20' group by k",
            "select count(*) from %s where id < 0 or s like '%%9'",
            "select t.id, u.s from %1$s t join %1$s u on t.id = u.id + 1 where u.k = 2",
            "select id from %s where id in (select max(id) from %1$s group by k)")) {
      run(String.format(query, table)).assertOurs();
    }
    assertPlanned("select * from " + table, table);
    assertPlanned("select s, id from " + table + " where id between 200 and 230", table);
    ScanResults.assertReadByGpuAlone(run("select * from " + table).ours());
  }

  /** Every file is one that the GPU reads, and its rows are Iceberg's. */
  private void assertPlanned(String query, String table) {
    assertThat(PlannedRows.check(spark, query, table)).as(query).isEmpty();
  }

  @Test
  void plain() {
    create("plain", "", "");
    assertOurs("db.plain");
    spark.sql("insert into db.plain " + ROWS + " from range(5000, 5010)");
    assertOurs("ice.db.plain");
    spark.sql("create table db.empty (id bigint) using iceberg");
    assertThat(WithAndWithout.run(spark, "select * from db.empty").ours().count()).isZero();
  }

  @Test
  void partitioned() {
    create("partitioned", "partitioned by (k, months(day))", "");
    spark.sql("insert into db.partitioned select 5000, null, 's', 1, null, null, null");
    assertOurs("db.partitioned");
    long files = spark.sql("select * from db.partitioned.files").count();
    WithAndWithout some = run("select id, k from db.partitioned where k = 3 and day is not null");
    assertThat(ScanResults.filesRead(some.ours())).isBetween(1L, files / 6);
    create("hidden", "partitioned by (bucket(3, id), truncate(6, s))", "");
    assertOurs("db.hidden");
    some = run("select id from db.hidden where day < date'2020-01-20' and id = 5");
    assertThat(ScanResults.filesRead(some.ours())).isBetween(1L, 3L);
  }

  @Test
  void partitionsAreChosenByAJoin() {
    create("facts", "partitioned by (k)", "");
    spark.sql("create table db.chosen using iceberg as select 3L as k, 'three' as name");
    String query = "select id, name from db.facts join db.chosen using (k) where name > 'a'";
    assertThat(ScanResults.filesRead(run(query).assertOurs().ours())).isEqualTo(2);
    assertThat(ScanResults.filesRead(run("select * from db.facts").ours())).isEqualTo(7);
  }

  @Test
  void partitionsOfSeveralSpecs() {
    create("evolved", "partitioned by (k)", "");
    spark.sql("alter table db.evolved drop partition field k");
    spark.sql("alter table db.evolved add partition field bucket(3, id)");
    spark.sql("insert into db.evolved " + ROWS + " from range(2000, 2100)");
    spark.sql("alter table db.evolved add partition field s");
    spark.sql("insert into db.evolved " + ROWS + " from range(3000, 3010)");
    assertOurs("db.evolved");
    run("select count(*), max(id) from db.evolved where k = 2 and s = 'text 5'").assertOurs();
  }

  @Test
  void columnsAreKnownByTheirIds() {
    create("changed", "partitioned by (k)", "");
    String table = "db.changed";
    spark.sql("alter table db.changed rename column s to t");
    spark.sql("alter table db.changed rename column n.y to z");
    spark.sql("alter table db.changed add column s int after id");
    spark.sql("alter table db.changed drop column d");
    spark.sql("alter table db.changed add column d string first");
    spark.sql("alter table db.changed alter column a first");
    spark.sql(
        "insert into db.changed (id, k, t, s, d, a, n, day) values"
            + " (7000, 1, 'late', 17, 'd', null, null, null), (7001, 9, null, 18, '', null, null, null)");
    run("select * from db.changed").assertOurs();
    run("select t, n.z, s from db.changed where s = 17 or t = 'text 3'").assertOurs();
    run("select s, count(*), max(t) from db.changed where k < 5 group by s").assertOurs();
    run("select id from db.changed where n.z = '15' and s is null").assertOurs();
    run("select id from db.changed where d = 'd'").assertOurs();
    for (String query :
        List.of(
            "select * from db.changed",
            // Files have other columns of these names.
            "select s, d, id from db.changed where s > 3",
            "select id from db.changed where d is null",
            "select t from db.changed where t between 'text 20' and 'text 3'")) {
      assertPlanned(query, table);
    }
  }

  @Test
  void typesAreWidened() {
    spark.sql(
        "create table db.widened (i int, f float, d decimal(8, 2), n struct<i: int, d: decimal(5, 1)>)"
            + " using iceberg");
    String rows =
        " select id, if(id % 5 = 0, double('nan'), id / 3), id / 8, struct(id % 1000, id / 9) from range";
    spark.sql("insert into db.widened" + rows + "(100)");
    spark.sql("alter table db.widened alter column i type bigint");
    spark.sql("alter table db.widened alter column f type double");
    spark.sql("alter table db.widened alter column d type decimal(20, 2)");
    spark.sql("alter table db.widened alter column n.d type decimal(12, 1)");
    spark.sql("insert into db.widened" + rows + "(5000000000, 5000000100)");
    for (String query :
        List.of(
            "select * from db.widened",
            "select i, f from db.widened where i > 90 and f < 1000",
            // Files of int hold no such value, and its lowest 32 bits are 4.
            "select i from db.widened where i < 4294967300",
            "select i from db.widened where i in (4294967300, 5000000004)",
            "select d, n.d as e from db.widened where d between 3 and 9")) {
      run(query).assertOurs();
      assertPlanned(query, "db.widened");
    }
    spark.sql("alter table db.widened alter column n.i type bigint");
    run("select n from db.widened where i > 20").assertOurs();
  }

  @Test
  void fieldsOfStructsMayAllBeNew() {
    create("renewed", "", "");
    spark.sql("alter table db.renewed add column n.z string");
    spark.sql(
        "insert into db.renewed select id, null, null, null, struct(id, 'a', 'b'), null, null from range(9)");
    run("select n.z, n from db.renewed where id < 20").assertOurs();
    run("select n.z is null, n is null from db.renewed where id < 20").assertOurs();
    assertThat(PlannedRows.check(spark, "select n.z from db.renewed", "db.renewed"))
        .allSatisfy(reason -> assertThat(reason).contains("has none of the fields"));
  }

  @Test
  void initialDefaults() {
    spark.sql(
        "create table db.defaults (id bigint, n struct<x: int>) using iceberg"
            + " tblproperties ('format-version' = '3')");
    spark.sql("insert into db.defaults select id, struct(int(id)) from range(10)");
    IcebergSessions.addColumnWithDefault(spark, "db.defaults", null, "added", 17);
    IcebergSessions.addColumnWithDefault(spark, "db.defaults", "n", "y", 18);
    spark.sql("insert into db.defaults values (20, struct(1, 2), 3), (21, null, null)");
    for (String query :
        List.of(
            "select * from db.defaults",
            "select id from db.defaults where added = 17",
            "select n.y, added from db.defaults where n.y > 3",
            "select sum(added), count(n.y) from db.defaults where id > 3")) {
      run(query).assertOurs();
    }
    assertPlanned("select id from db.defaults", "db.defaults");
  }

  @Test
  void earlierSnapshots() {
    create("versions", "", ", 'write.delete.mode' = 'merge-on-read'");
    spark.sql("delete from db.versions where id % 2 = 0");
    spark.sql("alter table db.versions rename column s to t");
    spark.sql("update db.versions set t = 'new' where id < 100");
    spark.sql("alter table db.versions create tag old");
    List<Row> snapshots =
        spark
            .sql("select snapshot_id from db.versions.snapshots order by committed_at")
            .collectAsList();
    for (Row snapshot : snapshots) {
      String version = " version as of " + snapshot.getLong(0);
      run("select * from db.versions" + version).assertOurs();
      run("select count(*), sum(id) from db.versions" + version + " where k < 5").assertOurs();
    }
    run("select * from db.versions version as of 'old'").assertOurs();
    assertThat(spark.sql("select * from db.versions").count()).isEqualTo(500);
  }

  @Test
  void whatWasAppendedBetweenSnapshots() {
    create("appended", "", "");
    spark.sql("insert into db.appended " + ROWS + " from range(5000, 5010)");
    spark.sql("insert into db.appended " + ROWS + " from range(6000, 6010)");
    List<Row> snapshots =
        spark
            .sql("select snapshot_id from db.appended.snapshots order by committed_at")
            .collectAsList();
    WithAndWithout both =
        WithAndWithout.run(
            spark,
            () ->
                spark
                    .read()
                    .format("iceberg")
                    .option("start-snapshot-id", snapshots.get(0).getLong(0))
                    .option("end-snapshot-id", snapshots.get(1).getLong(0))
                    .load("db.appended"));
    assertThat(both.assertOurs().ours().count()).isEqualTo(10);
  }

  @ParameterizedTest
  @CsvSource({"copy-on-write, 2", "merge-on-read, 2", "merge-on-read, 3"})
  void deletedRowsAreLeftOut(String mode, int version) {
    String name = "deleted_" + mode.charAt(0) + version;
    String table = "db." + name;
    create(
        name,
        "partitioned by (k)",
        String.format(
            ", 'format-version' = '%d', 'write.delete.mode' = '%s', 'write.update.mode' = '%2$s',"
                + " 'write.merge.mode' = '%2$s', 'write.parquet.row-group-size-bytes' = '2000',"
                + " 'write.parquet.row-group-check-min-record-count' = '32',"
                + " 'write.parquet.row-group-check-max-record-count' = '32'",
            version, mode));
    spark.sql("delete from " + table + " where id % 3 = 1");
    assertThat(deletedByPlace(table)).isEqualTo(mode.startsWith("m") ? 333 : 0);
    assertOurs(table);
    run("select count(*) from " + table + " where k = 2 and id > 0").assertOurs();
    spark.sql("delete from " + table + " where id between 100 and 800");
    spark.sql("update " + table + " set s = 'new' where id % 10 = 9");
    spark.sql(
        "merge into "
            + table
            + " t using (select id from range(990, 1010)) u on t.id = u.id"
            + " when matched and t.id % 2 = 0 then delete when matched then update set s = 'merged'"
            + " when not matched then insert (id, s) values (u.id, 'inserted')");
    spark.sql("delete from " + table + " where k = 4");
    assertOurs(table);
    assertThat(run("select * from " + table).ours().count()).isPositive();
  }

  /** How many rows files of deletes name. */
  private long deletedByPlace(String table) {
    Row sum = spark.sql("select sum(record_count) from " + table + ".delete_files").first();
    return sum.isNullAt(0) ? 0 : sum.getLong(0);
  }

  /** One file of deletes for all data files of a partition. */
  @Test
  void deletesOfSeveralFiles() {
    create(
        "together",
        "",
        ", 'write.delete.mode' = 'merge-on-read', 'write.delete.granularity' = 'partition'");
    spark.sql("delete from db.together where id % 4 = 1");
    assertOurs("db.together");
  }

  @Test
  void namesOfFilesAreIcebergs() {
    create("named", "partitioned by (s)", "");
    spark.sql("insert into db.named select 1, 2, 'a b/c%d:e', 1, null, null, null");
    run("select input_file_name(), id from db.named where id < 3 or k = 2").assertOurs();
  }
}
