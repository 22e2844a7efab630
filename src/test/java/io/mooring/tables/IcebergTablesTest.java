package io.mooring.tables;

import io.mooring.testing.WithAndWithout;
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
            + " tblproperties ("
            + properties
            + ") as "
            + ROWS
            + " from range(0, 1000, 1, 3)");
  }

  private WithAndWithout run(String sql) {
    return WithAndWithout.run(spark, sql);
  }

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
            "select id from %s where id in (select max(id) from %1$s group by k)")) {
      run(String.format(query, table)).assertOurs();
    }
  }

  @Test
  void plain() {
    create("plain", "", "'x' = 'y'");
    assertOurs("db.plain");
  }

  @Test
  void deleted() {
    create("deleted", "partitioned by (k)", "'format-version'='3', 'write.delete.mode' = 'merge-on-read'");
    spark.sql("delete from db.deleted where id % 3 = 1");
    spark.sql("select * from db.deleted").explain(true);
    assertOurs("db.deleted");
  }
}
