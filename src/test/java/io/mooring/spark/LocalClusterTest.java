package io.mooring.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.mooring.stage.replicated.ReplicatedTables;
import io.mooring.testing.GatedFileSystem;
import io.mooring.testing.Matrix;
import io.mooring.testing.Plans;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import io.mooring.testing.SparkHomes;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Executors in processes of their own, which get Mooring as a jar of the application. */
@Tag("extended")
@Tag("forked")
@Timeout(300)
class LocalClusterTest {
  private static final int EXECUTORS = 2;

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() throws Exception {
    SparkHomes.link(name -> true);
    Map<String, String> settings = new HashMap<>(ReplicatedTables.SETTINGS);
    settings.putAll(GatedFileSystem.settings(gate()));
    settings.put("spark.jars", SparkHomes.mooring(folder).toString());
    settings.put("spark.executor.extraClassPath", SparkHomes.tests().toString());
    settings.put("spark.sql.warehouse.dir", folder.resolve("warehouse").toString());
    settings.put("spark.mooring.ui.reportInterval", "1s");
    settings.put("spark.mooring.sql.withoutGpu", "true");
    settings.put("spark.mooring.sql.stages", "always");
    settings.put("spark.mooring.pinnedPool.size", "64m");
    settings.put("spark.sql.files.maxPartitionBytes", "20k");
    settings.put("spark.sql.files.openCostInBytes", "1");
    spark = Sessions.cluster(EXECUTORS, settings);
    ReplicatedTables.create(spark, folder);
    await().atMost(Duration.ofSeconds(60)).until(() -> executors() == EXECUTORS);
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void everyExecutorReadsTheBuildSidesOnce(String adaptive) {
    String query =
        "select o_priority, c_segment, sum(l_price) from lineitem join (select * from orders join"
            + " customer on o_custkey = c_custkey) on l_orderkey = o_orderkey group by all";
    Sessions.with(
        spark,
        "spark.sql.adaptive.enabled",
        adaptive,
        () -> {
          WithAndWithout both = WithAndWithout.run(spark, query).assertOurs();
          assertThat(ReplicatedTables.replicated(both.ours())).hasSize(2);
          assertThat(Plans.count(both.ours(), "Exchange")).isEqualTo(1);
          assertThat(ReplicatedTables.replicated(both.ours()))
              .allSatisfy(
                  node -> {
                    long builds = node.metrics().apply("builds").value();
                    assertThat(builds).isBetween(1L, (long) EXECUTORS);
                  });
        });
  }

  /**
   * The executor that replaces it reads the build side, too: the other has one core, which waits.
   */
  @Test
  void anExecutorThatIsLostWhileItBuildsIsReplaced() throws Exception {
    spark
        .read()
        .parquet("gated:" + folder.resolve("customer"))
        .createOrReplaceTempView("gated_customer");
    String query =
        "select o_orderkey, c_segment from orders join gated_customer on o_custkey = c_custkey";
    List<String> expected =
        Sessions.with(
            spark, "spark.mooring.sql.enabled", "false", () -> ScanResults.rows(spark.sql(query)));
    Dataset<Row> data = spark.sql(query);
    Path gate = gate();
    GatedFileSystem.close(gate);
    CompletableFuture<List<String>> rows =
        CompletableFuture.supplyAsync(() -> ScanResults.rows(data));
    try {
      // Only the build side has files behind the gate, so who waits there builds.
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> GatedFileSystem.waiting(gate).size() == EXECUTORS);
      ProcessHandle building = ProcessHandle.of(GatedFileSystem.waiting(gate).get(0)).orElseThrow();
      assertThat(building.info().commandLine().orElse("")).contains("ExecutorBackend");
      building.destroyForcibly();
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> GatedFileSystem.waiting(gate).size() == EXECUTORS + 1);
      assertThat(rows).isNotDone();
    } finally {
      GatedFileSystem.open(gate);
    }
    assertThat(rows.join()).isEqualTo(expected).isNotEmpty();
    assertThat(ReplicatedTables.replicated(data))
        .singleElement()
        .satisfies(it -> assertThat(it.child().output().mkString()).contains("c_custkey"))
        .satisfies(it -> assertThat(it.metrics().apply("builds").value()).isEqualTo(EXECUTORS));
    await().atMost(Duration.ofSeconds(60)).until(() -> executors() == EXECUTORS);
  }

  private static Path gate() {
    return folder.resolve("gate");
  }

  private static int executors() {
    return spark.sparkContext().getExecutorMemoryStatus().size() - 1;
  }

  /** One executor computes them, the other takes no part. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select l_mode, count(distinct l_suppkey) n from lineitem join part on l_partkey = p_partkey"
            + " group by l_mode order by n, l_mode",
        "select c, count(*) from (select l_partkey, count(*) c from lineitem group by l_partkey) group by c",
        "select sum(l_price * l_suppkey), max(l_ship) from lineitem"
      })
  void aggregatesOfOneTaskAreSparks(String query) {
    Sessions.with(
        spark,
        "spark.mooring.sql.singleTaskAggregates",
        "always",
        () -> {
          WithAndWithout both = WithAndWithout.run(spark, query).assertOurs();
          assertThat(Plans.count(both.ours(), "MooringFinalStage")).isEqualTo(1);
          assertThat(Plans.count(both.ours(), "Exchange")).isZero();
        });
  }

  @Tag("matrix")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select * from customer left join orders on c_custkey = o_custkey",
        "select * from customer where not exists (select 1 from orders where o_custkey ="
            + " c_custkey)",
        "select * from lineitem left join nothing on o_orderkey = l_orderkey",
        "select n_name, count(*) from supplier, customer, nation where s_nationkey = c_nationkey"
            + " and s_nationkey = n_nationkey group by n_name"
      })
  void rowsAreSparks(String query) {
    for (String codegen : Matrix.both(query)) {
      Sessions.with(
          spark,
          "spark.sql.codegen.wholeStage",
          codegen,
          () -> {
            WithAndWithout both = WithAndWithout.run(spark, query).assertOurs();
            assertThat(ReplicatedTables.replicated(both.ours())).isNotEmpty();
          });
    }
  }

  @Test
  void scansReadWithCudf() {
    Sessions.with(
        spark,
        Map.of(
            "spark.mooring.sql.pushdown", "always",
            "spark.mooring.sql.stages", "never",
            "spark.mooring.sql.replicatedJoins", "never",
            "spark.sql.autoBroadcastJoinThreshold", "10m",
            "spark.sql.files.maxPartitionBytes", "128m",
            "spark.sql.files.openCostInBytes", "4m"),
        () -> assertQueriesAreSparks(spark));
  }

  @Test
  void whereNoExecutorHasAGpuQueriesGoBackToSpark() {
    assumeFalse(RequiresGpu.Condition.gpuIsThere());
    String path = folder.resolve("table").toString();
    spark.range(100).write().parquet(path);
    Sessions.with(
        spark,
        Map.of("spark.mooring.sql.withoutGpu", "false", "spark.mooring.sql.stages", "never"),
        () ->
            await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(
                    () -> {
                      Dataset<Row> query = spark.read().parquet(path).filter("id > 3");
                      assertThat(query.count()).isEqualTo(96);
                      assertThat(Plans.ours(query)).isEmpty();
                    }));
  }

  static void assertQueriesAreSparks(SparkSession spark) {
    spark.sql(
        "create table facts using parquet partitioned by (day) as select id, id * 0.5D as half,"
            + " concat('text ', id % 17) as text, cast(id % 900 as decimal(7,2)) as price,"
            + " id % 4 as day from range(0, 20000, 1, 4)");
    for (String sql :
        new String[] {
          "select * from facts",
          "select id, text from facts where half > 100 and text like 'text 1%'",
          "select day, text, count(*), sum(price), avg(price), max(half) from facts group by day, text",
          "select a.id, b.text from facts a join facts b on a.id = b.id * 2 where b.day = 1"
        }) {
      WithAndWithout both = WithAndWithout.run(spark, sql).assertOurs();
      assertThat(ScanResults.filesRead(both.ours())).isPositive();
    }
  }
}
