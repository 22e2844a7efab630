package io.mooring.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.session.GpuAvailability;
import io.mooring.testing.Sessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Plans of the queries of TPC-DS as they are where an executor has a GPU; nothing is executed. The
 * folder is that of {@link TpcdsTest}; the table is left in {@code target/tpcds-stages.md}, the
 * plans beside it.
 */
@EnabledIfSystemProperty(named = "mooring.test.tpcds", matches = ".+")
class TpcdsStagesTest {
  private static final Path DATA = Path.of(System.getProperty("mooring.test.tpcds", "."));
  private static final Path TARGET = Path.of(System.getProperty("mooring.basedir", "."), "target");
  // Settings of a cluster without executors: it plans, and needs no process.
  private static final Map<String, String> PLANS_ALONE =
      Map.of(
          "spark.master", "local-cluster[0,1,1024]",
          "spark.mooring.sql.parquet.enabled", "true",
          "spark.mooring.sql.stages", "auto",
          "spark.sql.adaptive.enabled", "false");

  @TempDir Path folder;

  @Test
  void queriesAreMadeOfStages() throws IOException {
    Map<Path, StructType> schemas = schemas();
    SparkSession spark = Sessions.withPlugin(1, PLANS_ALONE);
    try {
      GpuAvailability.report("one", "");
      schemas.forEach(
          (table, schema) ->
              spark
                  .read()
                  .schema(schema)
                  .parquet(table.toString())
                  .createOrReplaceTempView(TpcdsTest.table(table)));
      List<String> rows = new ArrayList<>();
      int count = 0;
      Files.createDirectories(TARGET.resolve("tpcds-plans"));
      for (Path query : TpcdsTest.list(DATA.resolve("queries"), ".sql")) {
        SparkPlan plan = spark.sql(TpcdsResult.sql(query)).queryExecution().executedPlan();
        String name = query.getFileName().toString().replace(".sql", "");
        Files.writeString(TARGET.resolve("tpcds-plans").resolve(name + ".txt"), plan.toString());
        TpcdsStages stages = TpcdsStages.of(plan);
        count += stages.stages();
        rows.add(stages.row(name));
        Files.write(TARGET.resolve("tpcds-stages.md"), rows);
      }
      assertThat(count).isGreaterThan(rows.size());
    } finally {
      spark.stop();
      GpuAvailability.clearReports();
    }
  }

  /** By a session of its own: to find them out takes a task. */
  private Map<Path, StructType> schemas() throws IOException {
    SparkSession spark = Sessions.transparent(folder.resolve("warehouse"), Map.of());
    try {
      Map<Path, StructType> schemas = new LinkedHashMap<>();
      for (Path table : TpcdsTest.list(DATA, ".parquet")) {
        schemas.put(table, spark.read().parquet(table.toString()).schema());
      }
      return schemas;
    } finally {
      spark.stop();
    }
  }
}
