package io.mooring.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.ScanResults;
import io.mooring.testing.WithAndWithout;
import java.util.List;
import org.apache.spark.sql.SparkSession;

/** Creates tables by Iceberg, and has queries over them answered with and without Mooring. */
record IcebergTables(SparkSession spark) {
  /** A query of the rows of tables, of a range that follows it. */
  static final String ROWS =
      "select id, id % 7 as k, concat('text ', id % 100) as s, cast(id / 3 as decimal(12, 2)) as d,"
          + " named_struct('x', id, 'y', string(id)) as n, array(id, id + 1) as a,"
          + " date'2020-01-01' + int(id % 50) as day";

  // Files of several row groups, these of many pages.
  private static final String SMALL_PARTS =
      "'write.parquet.row-group-size-bytes' = '20000',"
          + " 'write.parquet.row-group-check-min-record-count' = '200',"
          + " 'write.parquet.row-group-check-max-record-count' = '200',"
          + " 'write.parquet.page-row-limit' = '20'";
  private static final String MERGE_ON_READ =
      "'write.delete.mode' = 'merge-on-read', 'write.update.mode' = 'merge-on-read',"
          + " 'write.merge.mode' = 'merge-on-read'";

  /**
   * Creates a table of 3,000 rows in two files of small row groups and pages, whose statements
   * write deletes.
   *
   * @param version of the table's format
   */
  void createOfSmallParts(String table, String partitions, int version) {
    spark.sql(
        String.format(
            "create table %s using iceberg %s tblproperties (%s, %s, 'format-version' = '%d') as %s"
                + " from range(0, 3000, 1, 2)",
            table, partitions, SMALL_PARTS, MERGE_ON_READ, version, ROWS));
  }

  /** Creates a table of a thousand rows in three files. */
  void create(String table, String partitions, String properties) {
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

  /** Runs a query, in which no scan is Iceberg's own, with and without Mooring. */
  WithAndWithout run(String sql) {
    WithAndWithout both = WithAndWithout.run(spark, sql);
    IcebergSessions.assertNoneIsIcebergs(both.ours());
    return both;
  }

  /** Queries of every kind: columns, conditions, aggregates, counts, parts of nested columns. */
  void assertOurs(String table) {
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
  void assertPlanned(String query, String table) {
    assertThat(PlannedRows.check(spark, query, table)).as(query).isEmpty();
  }
}
