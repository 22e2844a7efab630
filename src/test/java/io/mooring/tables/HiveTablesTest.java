package io.mooring.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.Plans;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tables in Parquet of a Hive metastore: converted by Spark they are ours, else the plan tells. */
@Tag("tables")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HiveTablesTest {
  private static final String CONVERT = "spark.sql.hive.convertMetastoreParquet";

  @TempDir static Path folder;
  private SparkSession spark;

  @BeforeAll
  void start() {
    spark =
        Sessions.transparent(
            folder.resolve("warehouse"),
            Map.of(
                "spark.sql.catalogImplementation",
                "hive",
                "spark.hadoop.javax.jdo.option.ConnectionURL",
                "jdbc:derby:;databaseName=" + folder.resolve("metastore") + ";create=true"));
    spark.sql("create table t (id bigint, s string) partitioned by (k bigint) stored as parquet");
    spark.sql("set hive.exec.dynamic.partition.mode=nonstrict");
    spark.sql("insert into t select id, string(id), id % 3 from range(100)");
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  @Test
  void convertedTablesAreOurs() {
    WithAndWithout.run(spark, "select * from t").assertOurs();
    WithAndWithout.run(spark, "select s from t where k = 1 and id > 10").assertOurs();
    WithAndWithout.run(spark, "select k, count(*), max(s) from t group by k").assertOurs();
  }

  @Test
  void whatHivesSerDeReadsTellsIt() {
    String reason = "(not Mooring: Hive's SerDe reads it, " + CONVERT + " is false)";
    Sessions.with(
        spark,
        CONVERT,
        "false",
        () -> {
          for (String query :
              new String[] {
                "select * from t",
                "select s from t where k = 1 and id > 10",
                "select k, count(*), max(s) from t group by k",
                "select a.s from t a join t b on a.id = b.id + 1"
              }) {
            WithAndWithout both = WithAndWithout.run(spark, query);
            assertThat(both.ours().queryExecution().executedPlan().toString())
                .contains("HiveScan " + reason);
            assertThat(both.sparks().queryExecution().executedPlan().toString())
                .contains("Scan hive")
                .doesNotContain("not Mooring");
            assertThat(Plans.ours(both.ours())).isEmpty();
          }
        });
  }
}
