package io.mooring.tables;

import static org.apache.spark.sql.functions.col;
import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.stage.Stages;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Results of sub-queries rule out row groups of all table formats. */
@Tag("tables")
@RequiresGpu
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FormatPruningTest {
  private static final int FILES = 8;
  private static final String LATER =
      "select count(*), sum(price), max(%2$s) from %1$s where %2$s > (select max(id) from loaded)";

  @TempDir static Path folder;
  private SparkSession spark;

  @BeforeAll
  void start() {
    spark = FormatTables.start(folder.resolve("warehouse"), Map.of());
    Sessions.with(spark, "spark.mooring.sql.enabled", "false", this::write);
  }

  private void write() {
    for (FormatTables format : FormatTables.values()) {
      format.write(spark, "events", events());
      format.write(spark, "loaded", spark.range(0, 71_000, 1, 1).toDF("id"));
      if (format.hasDeletes()) {
        format.use(spark, () -> spark.sql("delete from events where id % 17 = 3"));
      }
    }
  }

  private Dataset<Row> events() {
    return spark
        .range(0, 80_000, 1, 1)
        .selectExpr("id", "cast(id % 100 as decimal(7, 2)) price")
        .repartitionByRange(FILES, col("id"));
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  @ParameterizedTest
  @EnumSource(FormatTables.class)
  void whatIsLoadedAlready_isNotRead(FormatTables format) {
    assertThat(pruned(format, LATER.formatted("events", "id"))).isGreaterThanOrEqualTo(FILES - 2);
  }

  @ParameterizedTest
  @EnumSource(
      value = FormatTables.class,
      names = {"DELTA", "DELTA_VECTORS"})
  void aRenamedColumn_isFoundByItsNameInFiles(FormatTables format) {
    format.write(spark, "renamed", events());
    format.use(
        spark,
        () -> {
          format.mapColumns(spark, "renamed");
          return spark.sql("alter table renamed rename column id to number");
        });
    assertThat(pruned(format, LATER.formatted("renamed", "number")))
        .isGreaterThanOrEqualTo(FILES - 2);
  }

  @Test
  void aColumnMappedById_isFoundByItsNameInFiles() {
    events().createOrReplaceTempView("rows_of_mapped");
    spark.sql(
        "create table spark_catalog.delta.mapped using delta"
            + " tblproperties ('delta.columnMapping.mode' = 'id') as select * from rows_of_mapped");
    spark.sql("alter table spark_catalog.delta.mapped rename column id to number");
    Sessions.with(
        spark,
        "spark.sql.parquet.fieldId.read.enabled",
        "true",
        () ->
            assertThat(pruned(FormatTables.DELTA, LATER.formatted("mapped", "number")))
                .isGreaterThanOrEqualTo(FILES - 2));
  }

  private long pruned(FormatTables format, String query) {
    Dataset<Row> ours = format.use(spark, () -> WithAndWithout.run(spark, query).ours());
    return Stages.metric(ours, "rowGroupsPruned");
  }
}
