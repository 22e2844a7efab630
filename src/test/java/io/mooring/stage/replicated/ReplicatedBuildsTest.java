package io.mooring.stage.replicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.mooring.cache.ChunkCache;
import io.mooring.testing.Answers;
import io.mooring.testing.FaultyFileSystem;
import io.mooring.testing.Plans;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.joins.HashedRelation;
import org.apache.spark.storage.BlockId;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.jdk.javaapi.CollectionConverters;

/** Builds that fail, that are cancelled, that are larger than they should be, and their end. */
@Tag("extended")
class ReplicatedBuildsTest {
  private static final String JOIN = "select * from orders join customer on o_custkey = c_custkey";
  private static final String GROUP = "joins";

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    Map<String, String> settings =
        Map.of(
            FaultyFileSystem.SETTING,
            FaultyFileSystem.class.getName(),
            "spark.sql.ansi.enabled",
            "true");
    spark = ReplicatedTables.session(folder, settings);
    spark
        .read()
        .parquet("faulty:" + folder.resolve("customer"))
        .createOrReplaceTempView("faulty_customer");
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  /** Has the next scan read its files. */
  @BeforeEach
  void clearCache() {
    ChunkCache.shared().clear();
  }

  @AfterEach
  void nothingIsLeft() {
    FaultyFileSystem.clear();
    await().untilAsserted(() -> assertThat(keptRelations()).isEmpty());
  }

  private static List<BlockId> keptRelations() {
    return CollectionConverters.asJava(
            SparkEnv.get()
                .blockManager()
                .getMatchingBlockIds(
                    new scala.runtime.AbstractFunction1<>() {
                      @Override
                      public Object apply(BlockId block) {
                        return block.isBroadcast() && isReplicated(block);
                      }
                    }))
        .stream()
        .toList();
  }

  private static boolean isReplicated(BlockId block) {
    return Long.parseLong(block.name().split("_")[1]) >= 1L << 62;
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void anErrorOfABuildSideIsSparks(String adaptive) {
    String query =
        "select * from orders join (select c_custkey, int(c_name) n from (select c_custkey,"
            + " c_segment c_name from customer)) on o_custkey = c_custkey where n > o_orderkey";
    Sessions.with(
        spark,
        "spark.sql.adaptive.enabled",
        adaptive,
        () -> {
          Dataset<Row> data = spark.sql(query);
          Throwable ours = catchThrowable(data::collectAsList);
          assertThat(ReplicatedTables.replicated(data)).hasSize(1);
          Throwable sparks =
              Sessions.with(
                  spark,
                  "spark.mooring.sql.enabled",
                  "false",
                  () -> catchThrowable(() -> spark.sql(query).collectAsList()));
          assertThat(Answers.root(ours))
              .hasSameClassAs(Answers.root(sparks))
              .hasMessage(Answers.root(sparks).getMessage());
          assertThat(Answers.root(ours)).hasMessageContaining("CAST_INVALID_INPUT");
        });
  }

  @Test
  void aFileThatCannotBeReadIsSparksError() {
    FaultyFileSystem.set(
        (offset, bytes) -> {
          throw new IOException("A fault");
        });
    Throwable thrown = catchThrowable(() -> faultyJoin().collectAsList());
    assertThat(Answers.root(thrown)).hasMessage("A fault");
    FaultyFileSystem.clear();
    assertThat(ScanResults.rows(faultyJoin())).isEqualTo(ScanResults.rows(spark.sql(JOIN)));
  }

  private static Dataset<Row> faultyJoin() {
    return spark.sql(JOIN.replace("customer", "faulty_customer"));
  }

  /** Tasks that wait are not interrupted; the one that builds is asleep. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aCancelledQueryEnds(boolean interrupts) throws Exception {
    CountDownLatch reading = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    FaultyFileSystem.set(
        (offset, bytes) -> {
          reading.countDown();
          awaitUninterrupted(goOn);
        });
    CompletableFuture<Throwable> outcome = new CompletableFuture<>();
    Thread job =
        new Thread(
            () -> {
              spark.sparkContext().setJobGroup(GROUP, "to be cancelled", interrupts);
              outcome.complete(catchThrowable(() -> faultyJoin().collectAsList()));
            });
    job.start();
    reading.await();
    spark.sparkContext().cancelJobGroup(GROUP);
    assertThat(outcome.join()).isNotNull().hasMessageContaining("cancel");
    goOn.countDown();
    job.join();
    await().until(ReplicatedBuildsTest::noTaskRuns);
    FaultyFileSystem.clear();
    assertThat(ScanResults.rows(faultyJoin())).isEqualTo(ScanResults.rows(spark.sql(JOIN)));
  }

  private static void awaitUninterrupted(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException("The read was interrupted");
    }
  }

  private static boolean noTaskRuns() {
    return spark.sparkContext().statusTracker().getExecutorInfos()[0].numRunningTasks() == 0;
  }

  /** Joins with six build sides, each of several queries of which some are the same. */
  @Test
  void fiftyQueriesAtOnceGiveSparksRows() {
    List<String> queries =
        IntStream.range(0, 6)
            .mapToObj(
                i ->
                    "select o_orderkey, c_segment, p_type from lineitem join orders on l_orderkey ="
                        + " o_orderkey join customer on o_custkey = c_custkey join part on l_partkey ="
                        + " p_partkey where c_nationkey % 6 = "
                        + i)
            .toList();
    List<List<String>> expected =
        Sessions.with(
            spark,
            "spark.mooring.sql.enabled",
            "false",
            () -> queries.stream().map(it -> ScanResults.rows(spark.sql(it))).toList());
    ExecutorService users = Executors.newFixedThreadPool(50);
    try {
      List<CompletableFuture<List<String>>> answers =
          IntStream.range(0, 50)
              .mapToObj(i -> queries.get(i % queries.size()))
              .map(
                  query ->
                      CompletableFuture.supplyAsync(
                          () -> ScanResults.rows(spark.sql(query)), users))
              .toList();
      for (int i = 0; i < answers.size(); i++) {
        assertThat(answers.get(i).join()).isEqualTo(expected.get(i % queries.size()));
      }
    } finally {
      users.shutdownNow();
    }
  }

  @Test
  void whatIsLargerThanEstimatedIsKeptInFiles() {
    for (String codegen : List.of("true", "false")) {
      Sessions.with(
          spark,
          Map.of("spark.sql.codegen.wholeStage", codegen),
          () -> {
            // An estimate takes texts to be short.
            String large =
                "select l_orderkey, l_price, big from lineitem join (select o_orderkey,"
                    + " repeat(o_priority, 200) big from orders) on l_orderkey = o_orderkey";
            Sessions.with(
                spark,
                "spark.mooring.sql.replicatedJoins.maxBuildSize",
                "200k",
                () -> {
                  WithAndWithout both = WithAndWithout.run(spark, large);
                  assertThat(ReplicatedTables.replicated(both.ours())).hasSize(1);
                  ReplicatedExec node = ReplicatedTables.replicated(both.ours()).get(0);
                  assertThat(node.metrics().apply("dataSize").value()).isGreaterThan(1_000_000);
                });
          });
    }
  }

  @Test
  void aBuildSideWithAnExchangeIsBroadcastBySpark() {
    Sessions.with(
        spark,
        "spark.sql.adaptive.enabled",
        "false",
        () -> {
          Dataset<Row> data = spark.sql(JOIN);
          ReplicatedExec node = ReplicatedTables.replicated(data).get(0);
          Dataset<Row> shuffled =
              spark.sql("select /*+ repartition(3, c_custkey) */ * from customer");
          assertThat(Plans.count(shuffled, "Exchange")).isEqualTo(1);
          // With the columns that the keys are of.
          ReplicatedExec other =
              new ReplicatedExec(
                  shuffled.queryExecution().executedPlan(),
                  CollectionConverters.asScala(
                          List.<Expression>of(
                              shuffled.queryExecution().executedPlan().output().head()))
                      .toList(),
                  new BuildSize(1, 1, Long.MAX_VALUE),
                  ReplacedExchange.SHUFFLE);
          HashedRelation relation = other.<HashedRelation>executeBroadcast().value();
          assertThat(relation).isNotInstanceOf(ReplicatedRelation.class);
          assertThat(relation.keys().size()).isEqualTo(300);
          assertThat(node.<Object>executeBroadcast().value())
              .isInstanceOf(ReplicatedRelation.class);
        });
  }
}
