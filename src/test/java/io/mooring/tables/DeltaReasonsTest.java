package io.mooring.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What of Delta tables is left to Delta Lake's own reader, and that EXPLAIN tells why. */
@Tag("tables")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeltaReasonsTest {
  private static final String ROW_INDEXES =
      "spark.databricks.delta.deletionVectors.useMetadataRowIndex";

  @TempDir static Path folder;
  private SparkSession spark;

  @BeforeAll
  void start() {
    // Options of a stream's writer are of another class in Spark 3.5.
    String checkpoints = folder.resolve("checkpoints").toString();
    spark =
        DeltaSessions.start(
            folder.resolve("warehouse"),
            Map.of("spark.sql.streaming.checkpointLocation", checkpoints));
    spark.sql(
        "create table t using delta tblproperties ('delta.enableChangeDataFeed' = 'true',"
            + " 'delta.enableDeletionVectors' = 'true', 'delta.enableRowTracking' = 'true')"
            + " as select id, id % 5 as k from range(0, 100, 1, 2)");
    spark.sql("delete from t where id % 10 = 7");
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  private void assertDeltas(String sql, String reason) {
    WithAndWithout.run(spark, sql).assertSparks(reason);
  }

  @Test
  void columnsThatAreNotOurs() {
    assertDeltas("select id, _metadata from t", "the query asks for _metadata");
    assertDeltas("select id, _metadata.file_block_start from t", "the query asks for _metadata");
    WithAndWithout.run(spark, "select id, k from t where id > 3").assertOurs();
  }

  /** Spark and Delta Lake fill a column of this name themselves, depending on what else is read. */
  @Test
  void aColumnNamedAsRowIndexes() {
    spark.sql(
        "create table named using delta tblproperties ('delta.enableDeletionVectors' = 'true',"
            + " 'delta.columnMapping.mode' = 'name')"
            + " as select id, id + 1000 as _tmp_metadata_row_index from range(10)");
    assertDeltas("select * from named", "the query asks for a column _tmp_metadata_row_index");
    WithAndWithout.run(spark, "select id from named where id > 3").assertOurs();
  }

  @Test
  void variants() {
    assumeThat(spark.version()).as("the first Spark with variants").isGreaterThanOrEqualTo("4.0");
    spark.sql(
        "create table variants using delta"
            + " as select id, id % 5 as k, parse_json(concat('[', id, ']')) as v from range(100)");
    assertDeltas("select v from variants where id > 3", "column v has type ");
    assertDeltas("select k, count(v) from variants group by k", "column v has type ");
    WithAndWithout.run(spark, "select id, k from variants where id > 3").assertOurs();
  }

  @Test
  void settings() {
    Map<String, String> reasons =
        Map.of(
            "spark.mooring.sql.delta.enabled",
            "spark.mooring.sql.delta.enabled is false",
            ROW_INDEXES,
            "spark.databricks.delta.deletionVectors.useMetadataRowIndex is false",
            "spark.sql.parquet.enableVectorizedReader",
            "Spark has no batches");
    reasons.forEach(
        (setting, reason) ->
            Sessions.with(
                spark, setting, "false", () -> assertDeltas("select id, k from t", reason)));
  }

  /** Without statistics Delta reads what is current when the query runs. */
  @Test
  void aTableOfNoVersion() {
    spark.sql(
        "create table current using delta"
            + " tblproperties ('delta.enableDeletionVectors' = 'false') as select 1 as id");
    Sessions.with(
        spark,
        "spark.databricks.delta.stats.skipping",
        "false",
        () -> assertDeltas("select * from current", "files are listed by TahoeLogFileIndex"));
  }

  /** Only some versions of the library have it, and it reads there by itself. */
  @Test
  void dataSourceV2() {
    assumeThat(spark.version()).as("the first Spark of such a library").startsWith("4.1");
    Sessions.with(
        spark,
        "spark.databricks.delta.v2.enableMode",
        "STRICT",
        () ->
            assertThat(spark.sql("select id, k from t").queryExecution().executedPlan().toString())
                .contains("(not Mooring: Delta Lake's data source V2 reads its own tables)"));
  }

  /** Delta Lake looks for them by their indexes in files, which a setting says who counts. */
  @Test
  void rowsToDelete() throws Exception {
    spark.sql(
        "create table marked using delta tblproperties ('delta.enableDeletionVectors' = 'true')"
            + " as select id, id % 5 as k from range(0, 100, 1, 2)");
    spark.conf().set(ROW_INDEXES, "false");
    try {
      List<String> plans = StatementPlans.of(spark, "update marked set k = 9 where id % 10 = 7");
      assertThat(StatementPlans.scans(plans, "marked"))
          .anyMatch(it -> it.contains("(not Mooring: " + ROW_INDEXES + " is false)"));
    } finally {
      spark.conf().unset(ROW_INDEXES);
    }
  }

  @Test
  void changes() {
    WithAndWithout changes =
        WithAndWithout.run(
            spark, "select id, k, _change_type from table_changes('t', 0) where id < 50");
    assertThat(changes.ours().count()).isEqualTo(55);
  }

  @Test
  void aStream() throws Exception {
    StreamingQuery query =
        spark
            .readStream()
            .option("ignoreDeletes", "true")
            .table("t")
            .select("id")
            .writeStream()
            .toTable("copied");
    try {
      query.processAllAvailable();
      Object execution = query.getClass().getMethod("streamingQuery").invoke(query);
      Object explained =
          execution.getClass().getMethod("explainInternal", boolean.class).invoke(execution, false);
      assertThat((String) explained).contains("(not Mooring: Spark reads streaming sources)");
    } finally {
      query.stop();
    }
    assertThat(WithAndWithout.run(spark, "select * from copied").assertOurs().ours().count())
        .isEqualTo(90);
  }
}
