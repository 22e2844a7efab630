package io.mooring.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.mooring.testing.Plans;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What of Iceberg tables is left to Iceberg's own reader, and that EXPLAIN tells why. */
@Tag("tables")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IcebergReasonsTest {
  @TempDir static Path folder;
  private SparkSession spark;

  @BeforeAll
  void start() {
    spark = IcebergSessions.start(folder.resolve("warehouse"), Map.of());
    create("t", "'format-version' = '2'");
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  private void create(String table, String properties) {
    spark.sql(
        "create table db."
            + table
            + " using iceberg partitioned by (k) tblproperties ("
            + properties
            + ") as select id, id % 5 as k, string(id) as s from range(0, 100, 1, 2)");
  }

  private WithAndWithout assertIcebergs(String sql, String reason) {
    WithAndWithout both = WithAndWithout.run(spark, sql);
    assertThat(Plans.ours(both.ours())).isEmpty();
    assertThat(both.ours().queryExecution().executedPlan().toString())
        .contains("(not Mooring: " + reason);
    assertThat(both.sparks().queryExecution().executedPlan().toString())
        .doesNotContain("not Mooring");
    return both;
  }

  @Test
  void columnsThatAreNotOurs() {
    assertIcebergs("select id, _deleted from db.t", "the query asks for _deleted");
    assertIcebergs("select _deleted, _pos, id from db.t", "the query asks for _deleted");
  }

  /** Spark's Parquet readers fill in row indexes under this name, and Iceberg's does not. */
  @Test
  void aColumnNamedAsRowIndexes() {
    spark.sql(
        "create table db.named using iceberg"
            + " as select id, id + 1000 as _tmp_metadata_row_index from range(10)");
    assertIcebergs(
        "select *, _pos from db.named", "the query asks for a column _tmp_metadata_row_index");
    assertThat(Plans.ours(spark.sql("select id, _pos from db.named where id > 3"))).isNotEmpty();
  }

  @Test
  void rowIdsOfFilesThatHaveNone() {
    spark.sql("create table db.older using iceberg as select id, id % 3 as k from range(50)");
    spark.sql("alter table db.older set tblproperties ('format-version' = '3')");
    String reason = "files were written in a format without row ids";
    assertIcebergs("select id, _row_id from db.older", reason);
    assertIcebergs("select k, _last_updated_sequence_number from db.older", reason);
    assertThat(Plans.ours(spark.sql("select id from db.older where id > 5"))).isNotEmpty();
  }

  @Test
  void aColumnNamedAsAnInputOfRowIds() {
    spark.sql(
        "create table db.named_first using iceberg tblproperties ('format-version' = '3')"
            + " as select id, id * 7 as _Mooring_First_Row_Id from range(50)");
    assertIcebergs(
        "select id, _mooring_first_row_id, _row_id from db.named_first",
        "the query asks for row ids and a column _Mooring_First_Row_Id");
    for (String columns : List.of("id, _row_id", "id, _mooring_first_row_id")) {
      Dataset<Row> data = spark.sql("select " + columns + " from db.named_first where id > 3");
      assertThat(Plans.ours(data)).isNotEmpty();
    }
    // Spark cannot resolve such a name: whatever comes of that, the query is as without Mooring.
    spark.sql(
        "create table db.parted using iceberg partitioned by (`_Mooring_First_Row_Id`)"
            + " tblproperties ('format-version' = '3')"
            + " as select id, id % 5 as `_Mooring_First_Row_Id` from range(50)");
    String parted = "select *, _row_id from db.parted where `_Mooring_First_Row_Id` = 3";
    assertThat(Plans.ours(WithAndWithout.run(spark, parted).ours())).isEmpty();
  }

  @Test
  void variants() {
    assumeThat(spark.version()).as("the first Spark with variants").isGreaterThanOrEqualTo("4.0");
    spark.sql(
        "create table db.v using iceberg tblproperties ('format-version' = '3')"
            + " as select id, parse_json(concat('[', id, ']')) as v from range(10)");
    // Not every version of Iceberg reads them.
    assertThat(explained("select v from db.v where id > 3"))
        .contains("(not Mooring: column v has ");
    assertThat(Plans.ours(spark.sql("select id from db.v where id > 3"))).isNotEmpty();
  }

  @Test
  void settings() {
    Map<String, String> reasons =
        Map.of(
            "spark.mooring.sql.iceberg.enabled", "spark.mooring.sql.iceberg.enabled is false",
            "spark.sql.parquet.enableVectorizedReader", "Spark has no batches");
    reasons.forEach(
        (setting, reason) ->
            Sessions.with(
                spark,
                setting,
                "false",
                () -> {
                  assertIcebergs("select id, k from db.t", reason);
                  assertIcebergs("select k, sum(id) from db.t where id > 3 group by k", reason);
                }));
  }

  @Test
  void groupedPartitions() {
    Sessions.with(
        spark,
        "spark.sql.iceberg.planning.preserve-data-grouping",
        "true",
        () ->
            assertIcebergs(
                "select * from db.t a join db.t b on a.k = b.k and a.id = b.id",
                "spark.sql.iceberg.planning.preserve-data-grouping is true"));
  }

  @Test
  void tablesOfMetadata() {
    assertIcebergs("select file_path from db.t.files", "it is a table of Iceberg's metadata");
    assertIcebergs("select count(*) from db.t.snapshots where snapshot_id > 0", "it is a table");
  }

  @Test
  void otherFormats() {
    create("orc", "'write.format.default' = 'orc'");
    assertIcebergs("select * from db.orc where id > 50", "files are in ORC");
    create("avro", "'write.format.default' = 'avro'");
    assertIcebergs("select * from db.avro", "files are in AVRO");
    spark.sql("alter table db.orc set tblproperties ('write.format.default' = 'parquet')");
    spark.sql("insert into db.orc values (1000, 1, 's')");
    assertIcebergs("select * from db.orc", "files are in ORC");
    WithAndWithout.run(spark, "select * from db.orc where id = 1000").assertOurs();
  }

  @Test
  void encryptedFiles() {
    spark.sql("create table db.encrypted (id bigint) using iceberg");
    IcebergSessions.addFile(
        spark, "db.encrypted", folder.resolve("none.parquet").toString(), new byte[] {1, 2});
    assertThat(explained("select id from db.encrypted"))
        .contains("(not Mooring: files are encrypted)");
  }

  @Test
  void filesThatHadoopHasNoWayTo() {
    spark.sql("create table db.elsewhere (id bigint) using iceberg");
    IcebergSessions.addFile(spark, "db.elsewhere", "nowhere://bucket/file.parquet", null);
    assertThat(explained("select id from db.elsewhere"))
        .contains("(not Mooring: HadoopFileIO reads its files, and Hadoop has no nowhere://)");
  }

  @Test
  void typesThatSparksReaderHasInAnotherForm() {
    spark.sql("create table db.uuids using iceberg as select id from range(10)");
    IcebergSessions.addUuids(spark, "db.uuids", "u");
    assertIcebergs("select id, u from db.uuids", "column u has Iceberg's type uuid");
    WithAndWithout.run(spark, "select id from db.uuids where id > 3").assertOurs();
  }

  /** A join asks for the relation before the whole plan is known. */
  @Test
  void inputOfScripts() {
    String reason = "a script may read its rows after the end of the task";
    String script = "select transform(id) using 'cat' as (a int) from ";
    assertIcebergs(script + "db.t where k = 1", reason);
    assertIcebergs(script + "(select a.id from db.t a join db.t b on a.id = b.id)", reason);
    WithAndWithout.run(spark, "select id from db.t where k = 1").assertOurs();
  }

  @Test
  void changes() {
    assertIcebergs("select id, _change_type from db.t.changes", "it is a scan of changes");
  }

  @Test
  void rewrites() {
    create("rewritten", "'write.delete.mode' = 'copy-on-write'");
    create("marked", "'write.delete.mode' = 'merge-on-read'");
    assertThat(explained("delete from db.rewritten where id % 3 = 1"))
        .contains("(not Mooring: Iceberg rewrites the files that it reads)");
    assertThat(explained("delete from db.marked where id % 3 = 1")).contains("BatchScan mooring");
    create("numbered", "'write.update.mode' = 'merge-on-read', 'format-version' = '3'");
    assertThat(explained("update db.numbered set s = 'new' where id % 3 = 1"))
        .contains("BatchScan mooring")
        .doesNotContain("not Mooring");
  }

  private String explained(String statement) {
    return spark.sql("explain " + statement).first().getString(0);
  }

  @Test
  void whatMetadataAnswer() {
    String plan = explained("select count(*), max(id) from db.t");
    assertThat(plan).contains("LocalTableScan").doesNotContain("not Mooring");
  }
}
