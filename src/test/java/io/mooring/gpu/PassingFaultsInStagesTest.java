package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.gpu.InjectedFault.PassingFault;
import io.mooring.jni.FaultJni;
import io.mooring.stage.Stages;
import io.mooring.testing.RequiresGpu;
import java.nio.file.Path;
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
  private static final String EXPANDED =
      "select kind, id % 10 ten, avg(price), count(*), min(text) from t group by rollup(kind, id % 10)";
  private static final String TOP =
      "select id, text, price from t where id % 3 = 1 order by price desc, text limit 500";

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = StageFaults.session(folder);
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
    StageFaults.assertRightUnder(spark, passing.fault, GROUPED);
  }

  @ParameterizedTest
  @EnumSource
  void rowsAreRightAndTheGpuGoesOn(PassingFault passing) {
    StageFaults.assertRightUnder(spark, passing.fault, ROWS);
  }

  @ParameterizedTest
  @EnumSource
  void expandedGroupsAreRightAndTheGpuGoesOn(PassingFault passing) {
    assertHas("Expand, ", StageFaults.assertRightUnder(spark, passing.fault, EXPANDED));
  }

  @ParameterizedTest
  @EnumSource
  void firstRowsAreRightAndTheGpuGoesOn(PassingFault passing) {
    assertHas("LocalLimit", StageFaults.assertRightUnder(spark, passing.fault, TOP));
  }

  private static void assertHas(String operator, Dataset<Row> data) {
    assertThat(Stages.of(data)).extracting(Stages::text).anyMatch(it -> it.contains(operator));
  }

  /** What is held is lost with the copy at the end of a task, and made again by Spark. */
  @ParameterizedTest
  @CsvSource({"1", "2"})
  void groupsThatCannotBeCopiedBackAreMadeAgain(int nth) {
    StageFaults.assertRightUnder(
        spark,
        new InjectedFault(FaultJni.Point.COPY_TO_HOST, nth, 46, "cudaErrorDevicesUnavailable"),
        GROUPED);
  }

  @ParameterizedTest
  @EnumSource(names = {"DECODE", "OUT_OF_MEMORY"})
  void aLaterUnitFails(PassingFault passing) {
    InjectedFault fault = passing.fault;
    StageFaults.assertRightUnder(
        spark,
        new InjectedFault(fault.point(), DECODE_FAILS_LATER, fault.error(), fault.name()),
        GROUPED);
  }
}
