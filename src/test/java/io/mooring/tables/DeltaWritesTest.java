package io.mooring.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who reads the tables that statements of Delta Lake change, and the sources of the changes. */
@Tag("tables")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeltaWritesTest {
  private static final String OURS = "BatchScan mooring ";

  @TempDir static Path folder;
  private SparkSession spark;
  private int tables;

  @BeforeAll
  void start() {
    spark = DeltaSessions.start(folder.resolve("warehouse"), Map.of());
    spark.range(0, 50).selectExpr("id * 3 id", "id k").write().parquet(source("plain"));
    spark.range(0, 50).selectExpr("id * 3 id", "id k").write().format("delta").save(source("log"));
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  private static String source(String name) {
    return folder.resolve("source_" + name).toString();
  }

  /** Creates a table, and gives its name. */
  private String table(boolean vectors) {
    String table = "changed" + tables++ + "_";
    spark.sql(
        String.format(
            "create table %s using delta tblproperties ('delta.enableDeletionVectors' = '%s')"
                + " as select id, id %% 5 as k from range(0, 1000, 1, 3)",
            table, vectors));
    return table;
  }

  private static String merge(String table, String format) {
    return String.format(
        "merge into %s t using %s.`%s` s on t.id = s.id + 1 when matched then update set k = s.k"
            + " when not matched then insert *",
        table, format, source(format.equals("delta") ? "log" : "plain"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"delete from %s where id %% 7 = 3", "update %s set k = -1 where id %% 7 = 3"})
  void tablesWithoutDeletionVectorsAreReadByMooring(String statement) throws Exception {
    String table = table(false);
    assertThat(
            StatementPlans.scans(StatementPlans.of(spark, String.format(statement, table)), table))
        .hasSizeGreaterThan(1)
        .allMatch(it -> it.contains(OURS));
    WithAndWithout.run(spark, "select * from " + table).assertOurs();
  }

  @ParameterizedTest
  @ValueSource(strings = {"parquet", "delta"})
  void tablesAndSourcesOfMergesAreReadByMooring(String format) throws Exception {
    String table = table(false);
    List<String> plans = StatementPlans.of(spark, merge(table, format));
    assertThat(StatementPlans.scans(plans, table))
        .hasSizeGreaterThan(1)
        .allMatch(it -> it.contains(OURS));
    assertThat(StatementPlans.scans(plans, "/source_"))
        .isNotEmpty()
        .allMatch(it -> it.contains(OURS));
    WithAndWithout.run(spark, "select * from " + table).assertOurs();
  }

  /** Delta Lake finds the rows to delete by their indexes in files. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "delete from %s where id %% 7 = 3",
        "update %s set k = -1 where id %% 7 = 3",
        "merge into %s t using parquet.`%s` s on t.id = s.id + 1 when matched then update set k = s.k"
            + " when not matched then insert *",
        "merge into %s t using parquet.`%s` s on t.id = s.id + 1 when matched and s.k > 3 then delete"
            + " when not matched by source and t.id > 900 then update set k = 11"
      })
  void tablesWithDeletionVectorsAreReadByMooring(String statement) throws Exception {
    String ours = table(true);
    String sparks = table(true);
    for (String change :
        List.of(statement, "delete from %s where id %% 5 = k and k < 3", statement)) {
      List<String> plans = StatementPlans.of(spark, change(change, ours));
      Sessions.with(
          spark, "spark.mooring.sql.enabled", "false", () -> spark.sql(change(change, sparks)));
      assertThat(StatementPlans.scans(plans, ours)).isNotEmpty().allMatch(it -> it.contains(OURS));
      assertThat(StatementPlans.scans(plans, "/source_")).allMatch(it -> it.contains(OURS));
      assertThat(rows(ours)).isEqualTo(rows(sparks));
      WithAndWithout.run(spark, "select *, _metadata.row_index from " + ours).assertOurs();
    }
  }

  /** Rows keep their ids, which files have a column of once rows have moved. */
  @ParameterizedTest
  @ValueSource(strings = {"none", "name", "id"})
  void rowTracking(String mapping) throws Exception {
    String table = "tracked_" + mapping;
    String query = "select *, _metadata.row_id, _metadata.row_commit_version v from " + table;
    spark.sql(
        String.format(
            "create table %s using delta tblproperties ('delta.enableDeletionVectors' = 'true',"
                + " 'delta.enableRowTracking' = 'true', 'delta.columnMapping.mode' = '%s')"
                + " as select id, id %% 5 as k from range(0, 1000, 1, 3)",
            table, mapping));
    for (String change :
        List.of(
            "update %s set k = -1 where id %% 7 = 3",
            "delete from %s where id %% 5 = 4",
            "merge into %s t using parquet.`%s` s on t.id = s.id + 1 when matched then"
                + " update set k = s.k when not matched then insert *",
            "optimize %s")) {
      List<String> plans = StatementPlans.of(spark, change(change, table));
      assertThat(StatementPlans.scans(plans, table)).allMatch(it -> it.contains(OURS));
      Sessions.with(
          spark,
          "spark.sql.parquet.fieldId.read.enabled",
          String.valueOf(mapping.equals("id")),
          () -> {
            WithAndWithout.run(spark, query).assertOurs();
            WithAndWithout.run(spark, query + " where k = 3 and _metadata.row_id > 100")
                .assertOurs();
            WithAndWithout.run(
                    spark, "select max(_metadata.row_id) from " + table + " where id > 9")
                .assertOurs();
          });
    }
  }

  private static String change(String statement, String table) {
    return String.format(statement, table, source("plain"));
  }

  private List<Row> rows(String table) {
    return spark.sql("select * from " + table + " order by id, k").collectAsList();
  }
}
