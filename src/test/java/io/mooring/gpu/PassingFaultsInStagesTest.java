package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.gpu.InjectedFault.PassingFault;
import io.mooring.jni.FaultJni;
import io.mooring.metrics.FileFallbacks;
import io.mooring.stage.Stages;
import io.mooring.stage.replicated.ReplicatedTables;
import io.mooring.testing.LogCapture;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** One call fails in the middle of a stage: its rows are right, and the GPU goes on. */
@Tag("forked-gpu")
@RequiresGpu
class PassingFaultsInStagesTest {
  private static final int DECODE_FAILS_LATER = 5;
  private static final String GROUPED =
      "select kind, avg(price), sum(price * 2), count(*), min(text) from t group by kind";
  private static final String ROWS = "select id * 2, concat(text, '!') from t where id % 3 = 1";

  private static final String JOINED =
      "select name, avg(price), sum(price * 2), count(*), min(text) from t join k"
          + " on t.kind = k.kind and t.id > k.least group by name";

  private static final String EXPANDED =
      "select kind, id % 10 ten, avg(price), count(*), min(text) from t group by rollup(kind, id % 10)";
  private static final String TOP =
      "select id, text, price from t where id % 3 = 1 order by price desc, text limit 500";

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark =
        FaultTables.sessionWithStages(
            folder,
            "rand() * 1e9",
            // All files in one task or two, whose groups are merged.
            Map.of("spark.sql.files.openCostInBytes", "1k"));
    String kinds = folder.resolve("k").toString();
    spark
        .range(10)
        .selectExpr("concat('k', id % 5) kind", "concat('n', id) name", "id * 100 least")
        .write()
        .parquet(kinds);
    spark.read().parquet(kinds).createOrReplaceTempView("k");
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @AfterEach
  void clear() {
    FaultJni.clear();
  }

  @ParameterizedTest
  @EnumSource
  void groupsAreRightAndTheGpuGoesOn(PassingFault passing) {
    assertRightUnder(passing.fault, GROUPED);
  }

  @ParameterizedTest
  @EnumSource
  void rowsAreRightAndTheGpuGoesOn(PassingFault passing) {
    assertRightUnder(passing.fault, ROWS);
  }

  @ParameterizedTest
  @EnumSource
  void joinsAreRightAndTheGpuGoesOn(PassingFault passing) {
    assertRightUnder(passing.fault, JOINED);
  }

  /** Also where the fault meets the build side, which every executor reads itself. */
  @ParameterizedTest
  @EnumSource
  void joinsWithoutAnExchangeAreRightAndTheGpuGoesOn(PassingFault passing) {
    Sessions.with(
        spark,
        ReplicatedTables.SETTINGS,
        () -> {
          assertThat(ReplicatedTables.replicated(assertRightUnder(passing.fault, JOINED)))
              .hasSize(1);
        });
  }

  @ParameterizedTest
  @EnumSource
  void expandedGroupsAreRightAndTheGpuGoesOn(PassingFault passing) {
    assertHas("Expand, ", assertRightUnder(passing.fault, EXPANDED));
  }

  @ParameterizedTest
  @EnumSource
  void firstRowsAreRightAndTheGpuGoesOn(PassingFault passing) {
    assertHas("LocalLimit", assertRightUnder(passing.fault, TOP));
  }

  private static void assertHas(String operator, Dataset<Row> data) {
    assertThat(Stages.of(data)).extracting(Stages::text).anyMatch(it -> it.contains(operator));
  }

  /** What is held is lost with the copy at the end of a task, and made again by Spark. */
  @ParameterizedTest
  @CsvSource({"1", "2"})
  void groupsThatCannotBeCopiedBackAreMadeAgain(int nth) {
    assertRightUnder(
        new InjectedFault(FaultJni.Point.COPY_TO_HOST, nth, 46, "cudaErrorDevicesUnavailable"),
        GROUPED);
  }

  @ParameterizedTest
  @EnumSource(names = {"DECODE", "OUT_OF_MEMORY"})
  void aLaterUnitFails(PassingFault passing) {
    InjectedFault fault = passing.fault;
    assertRightUnder(
        new InjectedFault(fault.point(), DECODE_FAILS_LATER, fault.error(), fault.name()), GROUPED);
  }

  /** Gives the query that met the fault. */
  private static Dataset<Row> assertRightUnder(InjectedFault fault, String query) {
    Dataset<Row> ours;
    List<String> expected =
        Sessions.with(
            spark, "spark.mooring.sql.enabled", "false", () -> ScanResults.rows(spark.sql(query)));
    Stages.assertOnGpuAlone(run(query, expected));
    FileFallbacks.take();
    try (LogCapture log = LogCapture.open()) {
      FaultJni.failNth(fault.point(), fault.nth(), fault.error());
      ours = run(query, expected);
      assertThat(FaultJni.fired()).as("faults that happened").isOne();
      System.out.println(
          fault
              + ": splits left to Spark "
              + Stages.metric(ours, "sparkSplits")
              + ", read on the GPU "
              + Stages.metric(ours, "gpuFiles")
              + ", told "
              + log.messages(Level.WARN));
      assertThat(log.messages(Level.ERROR)).isEmpty();
      assertThat(Stages.metric(ours, "sparkSplits")).isLessThanOrEqualTo(FaultTables.FILES);
    }
    GpuRuntime gpu = GpuRuntime.current().orElseThrow();
    assertThat(gpu.usable()).as(gpu.reason()).isTrue();
    FaultTables.assertNothingStays();
    FaultJni.clear();
    Stages.assertOnGpuAlone(run(query, expected));
    return ours;
  }

  private static Dataset<Row> run(String query, List<String> expected) {
    Dataset<Row> data = spark.sql(query);
    assertThat(ScanResults.rows(data)).isEqualTo(expected);
    return data;
  }
}
