package io.mooring.spark.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.Matrix;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fields of {@code _metadata} that are the same in all of a file are partition columns of ours. */
class MetadataColumnsTest {
  private static final int FILES = 4;

  private static final String ROW_INDEX = ParquetFileFormat.ROW_INDEX_TEMPORARY_COLUMN_NAME();

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
        "select count(*) from plain where _metadata.file_modification_time < timestamp'2000-01-01'"
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
        "select id, _metadata.row_index from plain",
        "select id, _metadata.file_block_start, _metadata.file_name from plain",
        "select id, _metadata from plain",
        "select id, _metadata.file_name from clash"
      })
  void othersStayWithSpark(String query) {
    WithAndWithout.run(spark, query).assertSparks("the query asks for _metadata");
  }

  /** The name by which Spark's own readers ask for the index of a row in its file. */
  @Test
  void rowIndexesStayWithSpark() {
    String path = folder.resolve("parts").toString();
    WithAndWithout.run(
            spark,
            () ->
                spark
                    .read()
                    .schema("id bigint, " + ROW_INDEX + " bigint")
                    .parquet(path)
                    .where("id > 5"))
        .assertSparks("the query asks for row indexes");
  }
}
