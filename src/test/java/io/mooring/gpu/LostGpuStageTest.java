package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.conf.PoolEntries;
import io.mooring.memory.PinnedPool;
import io.mooring.stage.Stages;
import io.mooring.testing.Plans;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A GPU that is lost before the first unit of a stage; needs none, because none is touched. */
@Tag("extended")
@Tag("forked")
class LostGpuStageTest {
  private static final int FILES = 6;
  private static final Map<String, String> SETTINGS =
      Map.of(
          PoolEntries.SIZE.key(),
          "64m",
          // A task with several files, of which each is left on its own.
          "spark.sql.files.maxPartitionBytes",
          "1g",
          "spark.sql.files.openCostInBytes",
          "1k");

  @TempDir Path folder;

  @Test
  void sparksOperatorsComputeEachStretchOnce() {
    GpuRuntime gpu = LostDevice.start(SETTINGS);
    SparkSession spark = Sessions.transparent(folder.resolve("warehouse"), SETTINGS);
    try {
      String path = folder.resolve("t").toString();
      spark
          .range(0, 6000, 1, FILES)
          .selectExpr("id", "cast(id % 100 as decimal(12,2)) price", "concat('k', id % 7) kind")
          .write()
          .option("parquet.block.row.count.limit", 250)
          .parquet(path);
      spark.read().parquet(path).createOrReplaceTempView("t");
      WithAndWithout both =
          WithAndWithout.run(spark, "select kind, avg(price), count(*) from t group by kind");
      assertThat(Stages.of(both.ours())).hasSize(1);
      assertThat(Stages.metric(both.ours(), "sparkSplits")).isEqualTo(FILES);
      assertThat(Stages.metric(both.ours(), "cpuFiles")).isEqualTo(FILES);
      WithAndWithout.run(spark, "select avg(price), count(*) from t where id * 2 < 0");
      assertAggregatesOfOneTaskAreRight(spark);
    } finally {
      spark.stop();
    }
    assertThat(gpu.devices().areIdle()).isTrue();
    assertThat(PinnedPool.stats().bytesInUse()).isZero();
  }

  private static void assertAggregatesOfOneTaskAreRight(SparkSession spark) {
    Sessions.with(
        spark,
        "spark.mooring.sql.singleTaskAggregates",
        "always",
        () -> {
          WithAndWithout both =
              WithAndWithout.run(
                  spark,
                  "select n, max(k) from (select kind k, count(distinct price) n from t group by kind)"
                      + " group by n");
          assertThat(Plans.count(both.ours(), "MooringFinalStage")).isEqualTo(1);
          assertThat(Plans.count(both.ours(), "Exchange")).isZero();
        });
  }
}
