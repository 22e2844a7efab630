package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.gpu.InjectedFault.PassingFault;
import io.mooring.jni.FaultJni;
import io.mooring.stage.replicated.ReplicatedTables;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One call fails in the middle of a join: its rows are right, and the GPU goes on. */
@Tag("forked-gpu")
@RequiresGpu
class PassingFaultsInJoinsTest {
  private static final String JOINED =
      "select name, avg(price), sum(price * 2), count(*), min(text) from t join k"
          + " on t.kind = k.kind and t.id > k.least group by name";

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = StageFaults.session(folder);
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
  void joinsAreRightAndTheGpuGoesOn(PassingFault passing) {
    StageFaults.assertRightUnder(spark, passing.fault, JOINED);
  }

  /** Also where the fault meets the build side, which every executor reads itself. */
  @ParameterizedTest
  @EnumSource
  void joinsWithoutAnExchangeAreRightAndTheGpuGoesOn(PassingFault passing) {
    Sessions.with(
        spark,
        ReplicatedTables.SETTINGS,
        () -> {
          assertThat(
                  ReplicatedTables.replicated(
                      StageFaults.assertRightUnder(spark, passing.fault, JOINED)))
              .hasSize(1);
        });
  }
}
