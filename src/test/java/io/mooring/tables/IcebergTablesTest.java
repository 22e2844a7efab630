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
  @TempDir static Path folder;
  private SparkSession spark;
  private IcebergTables tables;

  @BeforeAll
  void start() {
    spark = IcebergSessions.start(folder.resolve("warehouse"), Map.of());
    tables = new IcebergTables(spark);
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  @Test
  void plain() {
    tables.create("plain", "", "");
    tables.assertOurs("db.plain");
    spark.sql("insert into db.plain " + IcebergTables.ROWS + " from range(5000, 5010)");
    tables.assertOurs("ice.db.plain");
    spark.sql("create table db.empty (id bigint) using iceberg");
    assertThat(WithAndWithout.run(spark, "select * from db.empty").ours().count()).isZero();
  }

  @Test
  void partitioned() {
    tables.create("partitioned", "partitioned by (k, months(day))", "");
    spark.sql("insert into db.partitioned select 5000, null, 's', 1, null, null, null");
    tables.assertOurs("db.partitioned");
    long files = spark.sql("select * from db.partitioned.files").count();
    WithAndWithout some =
        tables.run("select id, k from db.partitioned where k = 3 and day is not null");
    assertThat(ScanResults.filesRead(some.ours())).isBetween(1L, files / 6);
    tables.create("hidden", "partitioned by (bucket(3, id), truncate(6, s))", "");
    tables.assertOurs("db.hidden");
    some = tables.run("select id from db.hidden where day < date'2020-01-20' and id = 5");
    assertThat(ScanResults.filesRead(some.ours())).isBetween(1L, 3L);
  }

  @Test
  void partitionsAreChosenByAJoin() {
    tables.create("facts", "partitioned by (k)", "");
    spark.sql("create table db.chosen using iceberg as select 3L as k, 'three' as name");
    String query = "select id, name from db.facts join db.chosen using (k) where name > 'a'";
    assertThat(ScanResults.filesRead(tables.run(query).assertOurs().ours())).isEqualTo(2);
    assertThat(ScanResults.filesRead(tables.run("select * from db.facts").ours())).isEqualTo(7);
  }

  @Test
  void earlierSnapshots() {
    tables.create("versions", "", ", 'write.delete.mode' = 'merge-on-read'");
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
      tables.run("select * from db.versions" + version).assertOurs();
      tables
          .run("select count(*), sum(id) from db.versions" + version + " where k < 5")
          .assertOurs();
    }
    tables.run("select * from db.versions version as of 'old'").assertOurs();
    assertThat(spark.sql("select * from db.versions").count()).isEqualTo(500);
  }

  @Test
  void whatWasAppendedBetweenSnapshots() {
    tables.create("appended", "", "");
    spark.sql("insert into db.appended " + IcebergTables.ROWS + " from range(5000, 5010)");
    spark.sql("insert into db.appended " + IcebergTables.ROWS + " from range(6000, 6010)");
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
    tables.create(
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
    tables.assertOurs(table);
    tables.run("select count(*) from " + table + " where k = 2 and id > 0").assertOurs();
    spark.sql("delete from " + table + " where id between 100 and 800");
    spark.sql("update " + table + " set s = 'new' where id % 10 = 9");
    spark.sql(
        "merge into "
            + table
            + " t using (select id from range(990, 1010)) u on t.id = u.id"
            + " when matched and t.id % 2 = 0 then delete when matched then update set s = 'merged'"
            + " when not matched then insert (id, s) values (u.id, 'inserted')");
    spark.sql("delete from " + table + " where k = 4");
    tables.assertOurs(table);
    assertThat(tables.run("select * from " + table).ours().count()).isPositive();
  }

  /** How many rows files of deletes name. */
  private long deletedByPlace(String table) {
    Row sum = spark.sql("select sum(record_count) from " + table + ".delete_files").first();
    return sum.isNullAt(0) ? 0 : sum.getLong(0);
  }

  /** One file of deletes for all data files of a partition. */
  @Test
  void deletesOfSeveralFiles() {
    tables.create(
        "together",
        "",
        ", 'write.delete.mode' = 'merge-on-read', 'write.delete.granularity' = 'partition'");
    spark.sql("delete from db.together where id % 4 = 1");
    tables.assertOurs("db.together");
  }

  @Test
  void namesOfFilesAreIcebergs() {
    tables.create("named", "partitioned by (s)", "");
    spark.sql("insert into db.named select 1, 2, 'a b/c%d:e', 1, null, null, null");
    tables.run("select input_file_name(), id from db.named where id < 3 or k = 2").assertOurs();
  }
}
