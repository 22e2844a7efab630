package io.mooring.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.datasource.PlannedScan;
import io.mooring.scan.plan.ScanUnit.FileUnit;
import io.mooring.scan.split.FileSplit;
import io.mooring.scan.task.ScanWork;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.HashMap;
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
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The ids of rows of tables in format 3, and the commits that changed them, as Iceberg has them.
 */
@Tag("tables")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IcebergRowLineageTest {
  private static final String BOTH = "_row_id, _last_updated_sequence_number";
  private static final List<String> QUERIES =
      List.of(
          "select id, " + BOTH + " from %s",
          "select *, " + BOTH + ", _pos, _file, _spec_id, _partition from %s",
          "select id, _row_id from %s where id between 700 and 720",
          "select id, _last_updated_sequence_number from %s where id %% 50 = 3",
          "select id, _row_id from %s where _row_id < 40 and id > 3",
          "select id, _row_id - _pos from %s where id > 2990",
          "select k, sum(_row_id), max(_last_updated_sequence_number) from %s where id > 5 group by k",
          "select count(distinct _row_id), count(_row_id), min(_row_id) from %s where id >= 0",
          "select id from %s where _last_updated_sequence_number > 1 and id > 4",
          "select t.id, u._row_id from %1$s t join %1$s u on t.id = u._row_id where t.k = 1",
          "select id, _row_id from %s where _row_id = (select max(_row_id) from %1$s where id < 90)");

  @TempDir static Path folder;
  private SparkSession spark;
  private IcebergTables tables;

  @BeforeAll
  void start() {
    spark =
        IcebergSessions.start(
            folder.resolve("warehouse"),
            Map.of("spark.sql.iceberg.executor-cache.enabled", "false"));
    tables = new IcebergTables(spark);
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  private void assertOurs(String table) {
    QUERIES.forEach(query -> tables.run(String.format(query, table)).assertOurs());
    String all = "select *, " + BOTH + " from " + table;
    ScanResults.assertReadByGpuAlone(tables.run(all).ours());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "partitioned by (k)"})
  void statementsKeepTheIdsOfRows(String partitions) {
    String table = "db.kept" + partitions.length();
    tables.createOfSmallParts(table, partitions, 3);
    assertOurs(table);
    for (String statement : statements()) {
      String ours = statement.replace("TABLE", table);
      assertThat(spark.sql("explain " + ours).first().getString(0))
          .contains("mooring")
          .doesNotContain("not Mooring");
      spark.sql(ours);
      assertOurs(table);
    }
    String copied = "select count(*) from " + table + " where _row_id < 3000 and _spec_id = 0";
    assertThat(spark.sql(copied).first().getLong(0)).isPositive();
  }

  private static List<String> statements() {
    return List.of(
        "update TABLE set s = concat(s, '!') where id % 50 = 7 and d > 3",
        "merge into TABLE t using (select id * 3 as id, 'm' as s from range(1500)) u"
            + " on t.id = u.id when matched and t.id % 2 = 0 then delete"
            + " when matched and t.id % 5 = 0 then update set s = u.s"
            + " when not matched then insert (id, k, s) values (u.id, 1, u.s)",
        "update TABLE set k = k + 1 where n.x between 300 and 340");
  }

  /** The same statements by Iceberg's reader and by ours give rows the same ids. */
  @Test
  void statementsGiveTheIdsThatTheyGiveWithoutMooring() {
    tables.createOfSmallParts("db.ours", "", 3);
    tables.createOfSmallParts("db.theirs", "", 3);
    for (String statement : statements()) {
      spark.sql(statement.replace("TABLE", "db.ours"));
      Sessions.with(
          spark,
          "spark.mooring.sql.enabled",
          "false",
          () -> {
            spark.sql(statement.replace("TABLE", "db.theirs"));
            // New rows get their ids in the order of files, which is not the same each time.
            String kept =
                "select id, s, k, if(_row_id < 3000, _row_id, null),"
                    + " _last_updated_sequence_number from ";
            assertThat(ScanResults.rows(spark.sql(kept + "db.ours")))
                .as(statement)
                .isEqualTo(ScanResults.rows(spark.sql(kept + "db.theirs")));
          });
    }
  }

  @Test
  void filesThatStoreIdsAndFilesThatDoNot() {
    tables.createOfSmallParts("db.mixed", "", 3);
    spark.sql("update db.mixed set s = concat(s, '!') where id % 3 = 0 and d > 3");
    spark.sql("insert into db.mixed " + IcebergTables.ROWS + " from range(5000, 5400, 1, 2)");
    assertOurs("db.mixed");
    spark.sql(
        "call ice.system.rewrite_data_files(table => 'db.mixed',"
            + " options => map('rewrite-all', 'true'))");
    assertOurs("db.mixed");
    spark.sql("insert into db.mixed " + IcebergTables.ROWS + " from range(6000, 6100)");
    assertOurs("db.mixed");
    spark.sql("alter table db.mixed add column more int");
    tables.run("select more, _row_id from db.mixed where id > 100").assertOurs();
    tables.run("select _row_id from db.mixed").assertOurs();
    tables.run("select " + BOTH + ", _pos from db.mixed").assertOurs();
  }

  /** What the GPU computes ids from, beside the ids that Iceberg's reader gives. */
  @Test
  void inputsOfPlannedUnitsGiveTheIds() throws Exception {
    tables.createOfSmallParts("db.inputs", "", 3);
    spark.sql("update db.inputs set s = concat(s, '!') where id % 3 = 0 and d > 3");
    spark.sql("insert into db.inputs " + IcebergTables.ROWS + " from range(5000, 5400, 1, 2)");
    String query = "select id, _row_id from db.inputs";
    Map<Long, Long> ids = new HashMap<>();
    withoutMooring(query).forEach(row -> ids.put(row.getLong(0), row.getLong(1)));
    Map<String, Long> firstIds = new HashMap<>();
    for (ScanWork work : PlannedScan.work(spark.sql(query + " where id >= 0"))) {
      for (FileUnit file : ((ScanWork.Decode) work).unit().files()) {
        FileSplit split = file.plan().split();
        firstIds.put(split.path().toString(), split.partitionValues().getLong(0));
      }
    }
    assertThat(firstIds).hasSizeGreaterThan(3);
    firstIds.forEach(
        (path, first) ->
            assertIds(withoutMooring("select * from parquet.`" + path + "`"), first, ids));
  }

  private List<Row> withoutMooring(String query) {
    return Sessions.with(
        spark, "spark.mooring.sql.enabled", "false", () -> spark.sql(query).collectAsList());
  }

  /** Rows of a file, in its order, have the ids of their table. */
  private static void assertIds(List<Row> rows, long first, Map<Long, Long> ids) {
    boolean stores = List.of(rows.get(0).schema().fieldNames()).contains("_row_id");
    for (int i = 0; i < rows.size(); i++) {
      Row row = rows.get(i);
      Long stored = stores ? row.<Long>getAs("_row_id") : null;
      assertThat(stored == null ? first + i : stored).isEqualTo(ids.get(row.<Long>getAs("id")));
    }
  }
}
