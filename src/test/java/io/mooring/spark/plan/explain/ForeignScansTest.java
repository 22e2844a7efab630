package io.mooring.spark.plan.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.Plans;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.ScanOfIceberg;
import org.apache.iceberg.SparkBatchQueryScan;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Scans of Parquet by other readers tell by name who reads, and are planned as without Mooring. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ForeignScansTest {
  private static final String CHECKPOINT = "spark.sql.streaming.checkpointLocation";

  @TempDir static Path folder;
  private SparkSession spark;
  private String path;

  @BeforeAll
  void start() {
    spark = Sessions.transparent(folder.resolve("warehouse"), Map.of());
    path = folder.resolve("table").toString();
    spark.range(100).selectExpr("id", "id % 7 as v").write().parquet(path);
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  /** The plan tells the reason before the query runs, and is Spark's own but for that. */
  private void assertTells(Dataset<Row> data, String reason) {
    String told = data.queryExecution().executedPlan().toString();
    assertThat(told).contains("(not Mooring: " + reason);
    assertThat(Plans.ours(data)).isEmpty();
    List<String> rows = ScanResults.rows(data);
    Sessions.with(
        spark,
        "spark.mooring.sql.enabled",
        "false",
        () -> {
          Dataset<Row> plain = data.select("*");
          String untold = plain.queryExecution().executedPlan().toString();
          assertThat(untold).doesNotContain("not Mooring");
          assertThat(shape(told)).isEqualTo(shape(untold));
          assertThat(ScanResults.rows(plain)).isEqualTo(rows);
        });
  }

  /** The plan without reasons, and without what is counted through. */
  private static String shape(String plan) {
    return plan.replaceAll(" *\\(not Mooring: [^)]*\\)", "")
        .replaceAll("#\\d+L?|plan_id=\\d+", "")
        .replaceAll(" +\\[", "[");
  }

  @Test
  void parquetAsDataSourceV2() {
    Sessions.with(
        spark,
        "spark.sql.sources.useV1SourceList",
        "",
        () -> {
          String reason = "data source V2 reads it, spark.sql.sources.useV1SourceList is without";
          Dataset<Row> data = spark.read().parquet(path);
          assertTells(data.select("id"), reason);
          assertTells(data.where("v = 3 and rand(1) < 2").groupBy("v").count(), reason);
          assertTells(data.join(data.withColumnRenamed("v", "w"), "id"), reason);
        });
  }

  @Test
  void icebergIsKnownByTheNamesOfItsClasses() {
    Dataset<Row> data = spark.read().format(ScanOfIceberg.class.getName()).load();
    assertTells(data, "Iceberg reads it by a ScanOfIceberg");
    assertThat(data.queryExecution().executedPlan().toString())
        .contains("BatchScan db.t (not Mooring: ");
  }

  @Test
  void icebergOfAVersionThatIsNotKnown() {
    assertTells(
        spark.read().format(SparkBatchQueryScan.class.getName()).load(),
        "this version of Iceberg is not known");
  }

  @Test
  void icebergIsLeftToItsOwnReaderWhereASessionSaysSo() {
    Sessions.with(
        spark,
        "spark.mooring.sql.iceberg.enabled",
        "false",
        () ->
            assertTells(
                spark.read().format(ScanOfIceberg.class.getName()).load(),
                "spark.mooring.sql.iceberg.enabled is false"));
  }

  @Test
  void hudiIsKnownByTheNamesOfItsClasses() {
    Dataset<Row> data = spark.read().format(HoodieNamedFormat.class.getName()).load(path);
    assertTells(data.where("v < 3").select("id"), "Hudi reads its own tables");
    assertTells(data.groupBy("v").count(), "Hudi reads its own tables");
  }

  @Test
  void anotherFormatOfParquetFiles() {
    Dataset<Row> data = spark.read().format(Derived.class.getName()).load(path);
    assertTells(data.groupBy("v").count(), "files are of format Derived");
    spark.sql("create table named using `" + Derived.class.getName() + "` location '" + path + "'");
    assertTells(spark.table("named"), "files are of format Derived");
    assertThat(spark.table("named").queryExecution().executedPlan().toString())
        .contains("spark_catalog.default.named (not Mooring: files are of format Derived)");
  }

  /** What a library might make of Spark's format. */
  public static final class Derived extends ParquetFileFormat {}

  @Test
  void aStreamingSource() throws Exception {
    spark.conf().set(CHECKPOINT, folder.resolve("checkpoint").toString());
    StreamingQuery query =
        spark
            .readStream()
            .schema("id bigint, v bigint")
            .parquet(path)
            .where("v = 3")
            .writeStream()
            .start(folder.resolve("out").toString());
    try {
      query.processAllAvailable();
      assertThat(explained(query)).contains("(not Mooring: Spark reads streaming sources)");
    } finally {
      query.stop();
      spark.conf().unset(CHECKPOINT);
    }
    Dataset<Row> written = spark.read().parquet(folder.resolve("out").toString());
    assertThat(written.count()).isEqualTo(14);
  }

  /** What {@code explain()} prints; the packages of the classes differ between Spark's versions. */
  private static String explained(StreamingQuery query) throws ReflectiveOperationException {
    Object execution = query.getClass().getMethod("streamingQuery").invoke(query);
    return (String)
        execution.getClass().getMethod("explainInternal", boolean.class).invoke(execution, false);
  }

  @Test
  void nothingIsToldWhereOnlyTheFormatMooringIsWanted() {
    Sessions.with(
        spark,
        Map.of(
            "spark.sql.sources.useV1SourceList", "", "spark.mooring.sql.parquet.enabled", "false"),
        () ->
            assertThat(spark.read().parquet(path).queryExecution().executedPlan().toString())
                .contains("BatchScan")
                .doesNotContain("not Mooring"));
  }
}
