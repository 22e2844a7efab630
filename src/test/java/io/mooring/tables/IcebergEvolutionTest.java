package io.mooring.tables;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Iceberg tables whose columns, types and partitions have changed since files were written. */
@Tag("tables")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IcebergEvolutionTest {
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
  void partitionsOfSeveralSpecs() {
    tables.create("evolved", "partitioned by (k)", "");
    spark.sql("alter table db.evolved drop partition field k");
    spark.sql("alter table db.evolved add partition field bucket(3, id)");
    spark.sql("insert into db.evolved " + IcebergTables.ROWS + " from range(2000, 2100)");
    spark.sql("alter table db.evolved add partition field s");
    spark.sql("insert into db.evolved " + IcebergTables.ROWS + " from range(3000, 3010)");
    tables.assertOurs("db.evolved");
    tables
        .run("select count(*), max(id) from db.evolved where k = 2 and s = 'text 5'")
        .assertOurs();
  }

  @Test
  void columnsAreKnownByTheirIds() {
    tables.create("changed", "partitioned by (k)", "");
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
    tables.run("select * from db.changed").assertOurs();
    tables.run("select t, n.z, s from db.changed where s = 17 or t = 'text 3'").assertOurs();
    tables.run("select s, count(*), max(t) from db.changed where k < 5 group by s").assertOurs();
    tables.run("select id from db.changed where n.z = '15' and s is null").assertOurs();
    tables.run("select id from db.changed where d = 'd'").assertOurs();
    for (String query :
        List.of(
            "select * from db.changed",
            // Files have other columns of these names.
            "select s, d, id from db.changed where s > 3",
            "select id from db.changed where d is null",
            "select t from db.changed where t between 'text 20' and 'text 3'")) {
      tables.assertPlanned(query, table);
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
      tables.run(query).assertOurs();
      tables.assertPlanned(query, "db.widened");
    }
    spark.sql("alter table db.widened alter column n.i type bigint");
    tables.run("select n from db.widened where i > 20").assertOurs();
  }

  @Test
  void fieldsOfStructsMayAllBeNew() {
    tables.create("renewed", "", "");
    spark.sql("alter table db.renewed add column n.z string");
    spark.sql(
        "insert into db.renewed select id, null, null, null, struct(id, 'a', 'b'), null, null from range(9)");
    tables.run("select n.z, n from db.renewed where id < 20").assertOurs();
    tables.run("select n.z is null, n is null from db.renewed where id < 20").assertOurs();
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
      tables.run(query).assertOurs();
    }
    tables.assertPlanned("select id from db.defaults", "db.defaults");
  }
}
