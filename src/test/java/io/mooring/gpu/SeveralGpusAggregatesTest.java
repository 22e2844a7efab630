package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.mooring.conf.GpuEntries;
import io.mooring.conf.SqlEntries;
import io.mooring.gpu.InjectedFault.PassingFault;
import io.mooring.jni.CudaFailure;
import io.mooring.jni.FaultJni;
import io.mooring.jni.FaultJni.Point;
import io.mooring.stage.MooringFinalStageExec;
import io.mooring.testing.Plans;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Aggregates that one task computes on all GPUs of its process. */
@Tag("forked-gpu")
@RequiresGpu(devices = 2)
@Timeout(300)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SeveralGpusAggregatesTest {
  private static final int OUT_OF_MEMORY = 2;
  private static final int ENOUGH_FAILURES = 32;
  private static final int CANCELLED = 5;
  private static final int QUERIES_AT_ONCE = 6;

  private static final long ROWS = 40_000;
  private static final String AGGREGATE_BELOW =
      "select t.kind, count(*), sum(t.price) from t join (select id k, sum(price) s from t"
          + " group by id having sum(price) > 500) b on t.id = b.k + 1 group by t.kind";

  // Threads of the common pool have another class loader than the test.
  private static final Executor THREADS = work -> new Thread(work).start();

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark =
        FaultTables.sessionWithStages(
            folder,
            "hash(id)",
            Map.of(
                GpuEntries.DEVICES.key(),
                "0,1",
                SqlEntries.SINGLE_TASK_AGGREGATES.key(),
                "always",
                SqlEntries.REPLICATED_JOINS.key(),
                "always",
                // A partition for each file at least.
                "spark.sql.files.openCostInBytes",
                "128m"));
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @AfterEach
  void clear() {
    FaultJni.clear();
  }

  static Stream<String> queries() {
    return Stream.of(
        "select kind, count(*), sum(price), min(text), max(id) from t group by kind",
        "select count(*), sum(price), avg(id), stddev(id) from t where id > 100",
        "select id % 15000 k, max(text), count(price) from t group by id % 15000",
        "select text, sum(price) from t where id % 3 > 0 group by text order by 2 desc, 1 limit 20",
        "select a.kind, count(*), sum(b.price) from t a join t b on a.id = b.id + 1 where b.id % 5 = 0"
            + " group by a.kind",
        "select k, count(*) from (select kind k, price from t union all select text, price from t"
            + " where id % 100 = 3) group by k",
        SingleTaskFaultsTest.QUERY);
  }

  private static List<String> expected(String query) {
    return Sessions.with(
        spark, SqlEntries.ENABLED.key(), "false", () -> ScanResults.rows(spark.sql(query)));
  }

  private static long metric(Dataset<Row> data, String name) {
    return Plans.nodes(data, MooringFinalStageExec.class::isInstance).stream()
        .mapToLong(node -> metric(node, name))
        .sum();
  }

  private static long metric(SparkPlan node, String name) {
    return node.metrics().apply(name).value();
  }

  private static void assertByAllGpus(String query, List<String> expected) {
    Dataset<Row> data = spark.sql(query);
    assertThat(ScanResults.rows(data)).isEqualTo(expected);
    assertThat(metric(data, "otherGpuGroups"))
        .as(() -> data.queryExecution().toString())
        .isPositive()
        .isLessThan(metric(data, "finalGroups"));
  }

  @Order(1)
  @ParameterizedTest
  @MethodSource("queries")
  void everyGpuReadsAPart(String query) {
    assertByAllGpus(query, expected(query));
    FaultTables.assertNothingStays();
  }

  /** A GPU that did not copy the aggregate of the build side would make all its groups again. */
  @Order(1)
  @Test
  void allGpusMakeAnAggregateBelowTogether() {
    List<String> expected = expected(AGGREGATE_BELOW);
    Dataset<Row> data = spark.sql(AGGREGATE_BELOW);
    assertThat(ScanResults.rows(data)).isEqualTo(expected);
    List<SparkPlan> aggregates = Plans.nodes(data, MooringFinalStageExec.class::isInstance);
    assertThat(aggregates)
        .as(() -> data.queryExecution().toString())
        .hasSize(2)
        .allSatisfy(node -> assertThat(metric(node, "otherGpuGroups")).isPositive())
        .anySatisfy(node -> assertThat(metric(node, "finalGroups")).isEqualTo(ROWS));
    FaultTables.assertNothingStays();
  }

  @Order(1)
  @Test
  void noGpuFindsARow() {
    String query = "select count(*), max(text) from t where id < 0";
    assertThat(ScanResults.rows(spark.sql(query))).isEqualTo(expected(query));
    FaultTables.assertNothingStays();
  }

  @Order(2)
  @ParameterizedTest
  @EnumSource
  void rowsAreRightWhateverFails(PassingFault passing) {
    assertRightWhereFails(passing.fault, SingleTaskFaultsTest.QUERY);
    assertRightWhereFails(passing.fault, AGGREGATE_BELOW);
  }

  private static void assertRightWhereFails(InjectedFault fault, String query) {
    List<String> expected = expected(query);
    for (int nth = fault.nth(); nth < fault.nth() + 3; nth++) {
      FaultJni.failNth(fault.point(), nth, fault.error());
      assertThat(ScanResults.rows(spark.sql(query))).isEqualTo(expected);
      FaultJni.clear();
      FaultTables.assertNothingStays();
    }
    assertByAllGpus(query, expected);
  }

  @Order(2)
  @ParameterizedTest
  @ValueSource(strings = {SingleTaskFaultsTest.QUERY, AGGREGATE_BELOW})
  void memoryIsRefusedInTheMiddle(String query) {
    List<String> expected = expected(query);
    for (int nth = 1; nth < 20; nth += 3) {
      FaultJni.failNth(Point.DECODE, nth, OUT_OF_MEMORY);
      assertThat(ScanResults.rows(spark.sql(query))).isEqualTo(expected);
      FaultJni.clear();
      // Many failures in a row would take the GPUs out of use.
      assertByAllGpus(query, expected);
    }
    FaultTables.assertNothingStays();
  }

  /** The other GPU refuses its part, and the task's own reads it. */
  @Order(2)
  @Test
  void theOtherGpuHasNoRoom() {
    String query = queries().findFirst().orElseThrow();
    List<String> expected = expected(query);
    try (Room.Temporary others = otherDevice().objects().room()) {
      FaultTables.takeAll(others);
      Dataset<Row> data = spark.sql(query);
      assertThat(ScanResults.rows(data)).isEqualTo(expected);
      assertThat(metric(data, "finalGroups")).isPositive();
      assertThat(metric(data, "otherGpuGroups")).isZero();
    }
    FaultTables.assertNothingStays();
    assertByAllGpus(query, expected);
  }

  /** The device that the next task lends. */
  private static Device otherDevice() {
    Devices devices = GpuRuntime.current().orElseThrow().devices();
    Device next = devices.take(-1);
    devices.giveBack(-1);
    // Where both are used alike, that was one of them in turn: then it is the other's.
    devices.take(-1);
    devices.giveBack(-1);
    return devices.all().stream().filter(it -> it != next).findFirst().orElseThrow();
  }

  @Order(3)
  @Test
  void aCancelledQueryEnds() {
    for (int i = 0; i < CANCELLED; i++) {
      String group = "cancelled " + i;
      boolean interrupts = i % 2 == 0;
      CompletableFuture<Throwable> outcome =
          CompletableFuture.supplyAsync(
              () -> {
                spark.sparkContext().setJobGroup(group, "to be cancelled", interrupts);
                return catchThrowable(SeveralGpusAggregatesTest::runUntilCancelled);
              },
              THREADS);
      await()
          .until(
              () -> {
                spark.sparkContext().cancelJobGroup(group);
                return outcome.isDone();
              });
      assertThat(outcome.join()).isNotNull().hasMessageContaining("cancel");
    }
    FaultTables.assertNothingStays();
  }

  private static void runUntilCancelled() {
    while (true) {
      spark.sql(SingleTaskFaultsTest.QUERY).collectAsList();
    }
  }

  @Order(3)
  @Test
  void severalQueriesAtOnceAreRight() {
    List<String> expected = expected(SingleTaskFaultsTest.QUERY);
    List<CompletableFuture<List<String>>> all =
        IntStream.range(0, QUERIES_AT_ONCE)
            .mapToObj(
                any ->
                    CompletableFuture.supplyAsync(
                        () -> ScanResults.rows(spark.sql(SingleTaskFaultsTest.QUERY)), THREADS))
            .toList();
    all.forEach(rows -> assertThat(rows.join()).isEqualTo(expected));
    FaultTables.assertNothingStays();
  }

  /** The last test: the GPU does not come back. */
  @Order(4)
  @Test
  void aGpuThatIsGivenUpIsNotUsed() {
    List<String> expected = expected(SingleTaskFaultsTest.QUERY);
    Device lost = GpuRuntime.current().orElseThrow().devices().all().get(1);
    CudaFailure failure = new CudaFailure("cudaErrorSomething: it failed");
    IntStream.range(0, ENOUGH_FAILURES).forEach(i -> lost.health().failed(failure));
    assertThat(lost.problem()).contains("cudaErrorSomething");
    Dataset<Row> data = spark.sql(SingleTaskFaultsTest.QUERY);
    assertThat(ScanResults.rows(data)).isEqualTo(expected);
    assertThat(metric(data, "finalGroups")).isPositive();
    assertThat(metric(data, "otherGpuGroups")).isZero();
  }
}
