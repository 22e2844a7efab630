package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.mooring.gpu.InjectedFault.PassingFault;
import io.mooring.jni.FaultJni;
import io.mooring.jni.FaultJni.Point;
import io.mooring.stage.MooringFinalStageExec;
import io.mooring.testing.LogCapture;
import io.mooring.testing.Plans;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.logging.log4j.Level;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
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
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Faults, kills and crowds while one task computes an aggregate as a whole: its rows are right, and
 * nothing stays behind.
 */
@Tag("forked-gpu")
@RequiresGpu
@Timeout(300)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SingleTaskFaultsTest {
  private static final int OUT_OF_MEMORY = 2;
  private static final int LAUNCH_FAILURE = 719;
  private static final int QUERIES_AT_ONCE = 8;
  private static final int CANCELLED = 10;

  /** Groups, some of a union, joined with others, ranked and grouped again. */
  static final String QUERY =
      "select n, count(*) c, sum(s) s, sum(r) r, count(m) m from (select n, s, m, rank() over (partition by"
          + " n order by s, k) r from (select id % 9000 k, count(distinct kind) n, sum(price) s from t where"
          + " text like '%1%' group by id % 9000 having count(*) > 1) a full join (select id % 7000 j, max(text)"
          + " m from (select id, text from t union all select id + 3, kind from t) group by id % 7000) b on k = j) group by n order by n";

  @TempDir static Path folder;

  private static SparkSession spark;
  private static List<String> expected;

  @BeforeAll
  static void start() {
    spark =
        FaultTables.sessionWithStages(
            folder, "hash(id)", Map.of("spark.mooring.sql.singleTaskAggregates", "always"));
    expected =
        Sessions.with(
            spark, "spark.mooring.sql.enabled", "false", () -> ScanResults.rows(spark.sql(QUERY)));
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @AfterEach
  void clear() {
    FaultJni.clear();
  }

  private static long groups(Dataset<Row> data) {
    return Plans.nodes(data, MooringFinalStageExec.class::isInstance).stream()
        .mapToLong(node -> node.metrics().apply("finalGroups").value())
        .sum();
  }

  private static void assertRight() {
    assertThat(ScanResults.rows(spark.sql(QUERY))).isEqualTo(expected);
  }

  private static void assertOnGpu() {
    Dataset<Row> data = spark.sql(QUERY);
    assertThat(ScanResults.rows(data)).isEqualTo(expected);
    assertThat(groups(data)).as(() -> data.queryExecution().toString()).isPositive();
  }

  @Order(1)
  @ParameterizedTest
  @EnumSource
  void rowsAreRightAndTheGpuGoesOn(PassingFault passing) {
    assertOnGpu();
    try (LogCapture log = LogCapture.open()) {
      InjectedFault fault = passing.fault;
      FaultJni.failNth(fault.point(), fault.nth(), fault.error());
      assertRight();
      assertThat(log.messages(Level.ERROR)).isEmpty();
    }
    FaultJni.clear();
    FaultTables.assertNothingStays();
    assertOnGpu();
  }

  @Order(2)
  @ParameterizedTest
  @ValueSource(ints = {1, 5, 12})
  void memoryIsRefusedInTheMiddle(int nth) {
    FaultJni.failNth(Point.DECODE, nth, OUT_OF_MEMORY);
    assertRight();
    FaultJni.clear();
    FaultTables.assertNothingStays();
    assertOnGpu();
  }

  /** Waits for room as long as a task does. */
  @Order(2)
  @Tag("extended")
  @Test
  void groupsThatHaveNoRoomAreSparks() {
    Device device = GpuRuntime.current().orElseThrow().devices().all().get(0);
    try (Room.Temporary others = device.objects().room()) {
      FaultTables.takeAll(others);
      Dataset<Row> data = spark.sql(QUERY);
      assertThat(ScanResults.rows(data)).isEqualTo(expected);
      assertThat(groups(data)).isZero();
    }
    FaultTables.assertNothingStays();
    assertOnGpu();
  }

  @Order(2)
  @Test
  void groupsWaitForRoomThatOthersGiveBack() {
    Device device = GpuRuntime.current().orElseThrow().devices().all().get(0);
    try (Room.Temporary others = device.objects().room()) {
      FaultTables.takeAll(others);
      Dataset<Row> data = spark.sql(QUERY);
      CompletableFuture<Void> given =
          CompletableFuture.runAsync(
              others::close, CompletableFuture.delayedExecutor(2, TimeUnit.SECONDS));
      assertThat(ScanResults.rows(data)).isEqualTo(expected);
      assertThat(given).isDone();
      assertThat(groups(data)).isPositive();
    }
    FaultTables.assertNothingStays();
  }

  @Order(3)
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aCancelledQueryEnds(boolean interrupts) {
    for (int i = 0; i < CANCELLED; i++) {
      String group = "cancelled " + i;
      CompletableFuture<Throwable> outcome =
          CompletableFuture.supplyAsync(
              () -> {
                spark.sparkContext().setJobGroup(group, "to be cancelled", interrupts);
                try {
                  return catchThrowable(CancelledLoop::run);
                } finally {
                  spark.sparkContext().clearJobGroup();
                }
              });
      await().until(() -> spark.sparkContext().statusTracker().getActiveJobIds().length > 0);
      // A job may end just before it is cancelled; the next one is cancelled then.
      await()
          .until(
              () -> {
                spark.sparkContext().cancelJobGroup(group);
                return outcome.isDone();
              });
      assertThat(outcome.join()).isNotNull().hasMessageContaining("cancel");
    }
    FaultTables.assertNothingStays();
    assertOnGpu();
  }

  /** Runs queries until one is cancelled. */
  private static final class CancelledLoop {
    private CancelledLoop() {}

    static void run() {
      while (true) {
        spark.sql(QUERY).collectAsList();
      }
    }
  }

  @Order(4)
  @Test
  void severalQueriesAtOnceAreRight() {
    List<CompletableFuture<List<String>>> all = new ArrayList<>();
    for (int i = 0; i < QUERIES_AT_ONCE; i++) {
      CompletableFuture<List<String>> rows = new CompletableFuture<>();
      Thread query =
          new Thread(
              () -> {
                try {
                  IntStream.range(0, 2).forEach(any -> assertRight());
                  rows.complete(ScanResults.rows(spark.sql(QUERY)));
                } catch (RuntimeException | AssertionError e) {
                  rows.completeExceptionally(e);
                }
              });
      query.start();
      all.add(rows);
    }
    all.forEach(rows -> assertThat(rows.join()).isEqualTo(expected));
    FaultTables.assertNothingStays();
  }

  /** The last test: no GPU comes back. */
  @Order(5)
  @Test
  void theGpuIsLostInTheMiddle() {
    FaultJni.failFrom(Point.DECODE, 5, LAUNCH_FAILURE);
    assertRight();
    assertThat(GpuRuntime.current().orElseThrow().usable()).isFalse();
    assertRight();
    assertThat(GpuRuntime.current().orElseThrow().devices().areIdle()).isTrue();
  }
}
