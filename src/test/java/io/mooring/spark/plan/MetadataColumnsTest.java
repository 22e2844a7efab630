package io.mooring.spark.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.datasource.PlannedScan;
import io.mooring.pushdown.UnscaledColumns;
import io.mooring.scan.output.RowIndexes;
import io.mooring.scan.plan.ScanUnit;
import io.mooring.scan.schema.FileColumns;
import io.mooring.scan.task.ScanWork;
import io.mooring.testing.Matrix;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fields of {@code _metadata}: constants of files as partition columns, and row indexes. */
@Tag("extended")
class MetadataColumnsTest {
  private static final int FILES = 4;

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = Sessions.transparent(folder.resolve("warehouse"), Map.of());
    // Both a blank and what looks like an escape: paths are shown in more than one way.
    save("plain", "pl ain%20", spark.range(0, 4000, 1, FILES).selectExpr("id", "id % 7 k"));
    save(
        "parts",
        "parts",
        spark.range(0, 600, 1, 2).selectExpr("id", "concat('a ', id % 3) part"),
        "part");
    // Row groups of some pages each.
    spark
        .range(0, 10_000, 1, 2)
        .selectExpr("id", "id % 7 k", "if(id % 11 = 0, null, concat('name ', id)) s")
        .write()
        .option("path", folder.resolve("pages").toString())
        .option("parquet.block.size", "20000")
        .option("parquet.block.size.row.check.min", "100")
        .option("parquet.page.row.count.limit", "100")
        .option("parquet.page.size.row.check.min", "50")
        .saveAsTable("pages");
    save("clash", "clash", spark.range(5).selectExpr("id", "'x' _METADATA_file_name"));
  }

  /** Saves rows as a table: temporary views have no metadata columns. */
  private static void save(String table, String path, Dataset<Row> rows, String... partitions) {
    rows.write()
        .format("parquet")
        .partitionBy(partitions)
        .option("path", folder.resolve(path).toString())
        .saveAsTable(table);
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @Tag("matrix")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select id, _metadata.file_path, _metadata.file_name from plain",
        "select _metadata.file_size s, _metadata.file_modification_time t, id from plain where id > 5",
        "select _metadata.file_name from plain",
        "select _metadata.file_name f, count(*), sum(id) from plain group by _metadata.file_name",
        "select count(distinct _metadata.file_path), max(_metadata.file_modification_time) from plain",
        "select upper(_metadata.file_name) f, id from plain where _metadata.file_size > 10 and k = 3",
        "select a.id, b.k from plain a join plain b on a._metadata.file_name = b._metadata.file_name"
            + " and a.id = b.id",
        "select id, part, _metadata.file_name f from parts where part = 'a 1'",
        "select part, _metadata.file_path p, count(*) from parts group by part, _metadata.file_path",
        "select id from parts where _metadata.file_path like '%part=a%2' or part = 'a 0'",
        "select id, _metadata.file_name f from plain order by f, id limit 20",
        "select id, f from (select id, k, _metadata.file_name f from plain) where f > 'part' and k < 3",
        "select count(*) from plain where _metadata.file_modification_time < timestamp'2000-01-01'",
        "select id, _metadata.row_index from plain",
        "select id, k, _metadata.row_index i from pages where id between 2205 and 2217 or k = -1",
        "select *, _metadata.row_index from pages where id in (3, 2650, 9999)",
        "select id, s from pages where _metadata.row_index between 1190 and 1210",
        "select count(*), sum(id) from pages where _metadata.row_index % 1000 = 3",
        "select _metadata.file_name f, min(_metadata.row_index), max(_metadata.row_index), count(*)"
            + " from pages where id >= 0 group by all",
        "select max(_metadata.row_index) from pages where k = 2",
        "select k, sum(_metadata.row_index + 1), count(_metadata.row_index) from pages group by k",
        "select part, id, _metadata.row_index, _metadata.file_path from parts where part <> 'a 0'",
        "select part, max(_metadata.row_index) from parts where id > 4 group by part",
        "select a.id, b._metadata.row_index from plain a join pages b on a.id = b._metadata.row_index"
            + " where b.k = 1",
        "select id, _metadata.row_index from pages where s is null or _metadata.row_index is null",
        "select id from pages order by _metadata.row_index desc, id limit 7"
      })
  void theyAreReadAsSparkReadsThem(String query) {
    for (String adaptive : Matrix.both(query)) {
      Sessions.with(
          spark,
          "spark.sql.adaptive.enabled",
          adaptive,
          () -> WithAndWithout.run(spark, query).assertOurs());
    }
  }

  @Test
  void aFilterOnThemChoosesFiles() {
    Row file = spark.sql("select min(_metadata.file_name) f from plain").first();
    WithAndWithout both =
        WithAndWithout.run(
            spark, "select id from plain where _metadata.file_name = '" + file.getString(0) + "'");
    both.assertOurs();
    assertThat(ScanResults.filesRead(both.ours())).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select id, _metadata.row_index, _metadata from plain",
        "select id, _metadata.file_block_start, _metadata.file_name from plain",
        "select id, _metadata from plain",
        "select id, _metadata.file_name from clash"
      })
  void othersStayWithSpark(String query) {
    WithAndWithout.run(spark, query).assertSparks("the query asks for _metadata");
  }

  @Test
  void rowIndexesAlone() {
    WithAndWithout.run(spark, "select _metadata.row_index from plain")
        .assertSparks("the query asks for nothing but row indexes");
  }

  /** Spark's readers fill a column of this name with the indexes of rows in their file. */
  @Test
  void theirNameInASchemaStaysWithSpark() {
    WithAndWithout.run(
            spark,
            () ->
                spark
                    .read()
                    .schema("id bigint, " + FileColumns.ROW_INDEX + " bigint")
                    .parquet(folder.resolve("pages").toString())
                    .where("id > 5"))
        .assertSparks("the query asks for a column " + FileColumns.ROW_INDEX);
  }

  @Test
  void rowIndexesAreMadeOnTheGpu() {
    String query = "select id, s, _metadata.row_index from pages where id % 3 = 1";
    ScanResults.assertReadByGpuAlone(WithAndWithout.run(spark, query).ours());
  }

  /** What a GPU would make, planned without one. */
  @Test
  void rowIndexesArePlannedWithTheUnits() throws Exception {
    List<ScanWork> work =
        PlannedScan.work(spark.sql("select id, _metadata.row_index from pages where k = 3"));
    assertThat(work).isNotEmpty();
    for (ScanWork unit : work) {
      ScanUnit read =
          unit instanceof ScanWork.DecodeLate late ? late.unit() : ((ScanWork.Decode) unit).unit();
      assertThat(RowIndexes.of(read).spans()).isNotEmpty();
    }
  }

  /** A schema keeps Spark's mark of {@code _metadata}, the files have a column of that name. */
  @Test
  void columnOfThatNameIsNotSparks() {
    Dataset<Row> marked = spark.table("plain").selectExpr("_metadata", "id");
    String path = folder.resolve("marked").toString();
    marked.write().parquet(path);
    Dataset<Row> read = spark.read().schema(marked.schema()).parquet(path);
    read.createOrReplaceTempView("marked");
    WithAndWithout both =
        WithAndWithout.run(
            spark, "select distinct _metadata.file_path like '%marked%' from marked where id > 3");
    assertThat(both.ours().queryExecution().executedPlan().toString())
        .contains("column _metadata is marked as a metadata column");
    assertThat(both.ours().collectAsList()).singleElement().matches(row -> !row.getBoolean(0));
  }

  /** A user's schema marks a long as Mooring marks the unscaled values of a decimal. */
  @Test
  void markOfUnscaledValuesIsNotOurs() {
    String path = folder.resolve("unscaled").toString();
    spark.sql("select id, cast(id * 3 as decimal(9, 2)) d from range(10)").write().parquet(path);
    Metadata mark =
        UnscaledColumns.standIn(DataTypes.createStructField("d", DataTypes.LongType, true))
            .metadata();
    StructType schema =
        new StructType()
            .add("id", DataTypes.LongType, true, mark)
            .add("d", DataTypes.createDecimalType(9, 2));
    spark.read().schema(schema).parquet(path).createOrReplaceTempView("unscaled");
    WithAndWithout.run(spark, "select sum(id), sum(d) from unscaled where id > 3")
        .assertSparks("column id is marked as a metadata column");
  }
}
