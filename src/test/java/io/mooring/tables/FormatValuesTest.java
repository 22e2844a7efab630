package io.mooring.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.datasource.MooringScan;
import io.mooring.scan.estimate.FooterEstimate;
import io.mooring.stage.program.StageScan;
import io.mooring.testing.Plans;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a footer tells of a column that has another name in the file than in the table. */
@Tag("tables")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FormatValuesTest {
  @TempDir static Path folder;
  private SparkSession spark;

  @BeforeAll
  void start() {
    spark = FormatTables.start(folder.resolve("warehouse"), Map.of());
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  @ParameterizedTest
  @EnumSource(
      value = FormatTables.class,
      names = {"DELTA", "DELTA_VECTORS", "ICEBERG", "ICEBERG_DELETES"})
  void renamedColumns(FormatTables format) {
    format.write(
        spark, "renamed", spark.range(0, 7000, 1, 1).selectExpr("id", "concat('t', id % 7) few"));
    format.use(
        spark,
        () -> {
          format.mapColumns(spark, "renamed");
          spark.sql("alter table renamed rename column few to kinds");
          return spark.sql("alter table renamed rename column id to few");
        });
    FooterEstimate values = format.use(spark, () -> values("select few, kinds from renamed"));
    assertThat(values.distinct("kinds").orElseThrow()).isBetween(2.0, 70.0);
    assertThat(values.distinct("few").orElseThrow()).isBetween(3500.0, 7000.0);
  }

  private FooterEstimate values(String query) {
    BatchScanExec node = (BatchScanExec) Plans.ours(spark.sql(query)).get(0);
    MooringScan scan = Objects.requireNonNull(StageScan.of(node.scan()));
    return Objects.requireNonNull(FooterEstimate.of(scan.relation(), scan.predicates()));
  }
}
