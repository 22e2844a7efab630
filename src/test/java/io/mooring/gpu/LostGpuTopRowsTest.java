package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.conf.PoolEntries;
import io.mooring.stage.Stages;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A GPU that is lost in a task that sorts many files; needs none, because none is touched. */
@Tag("extended")
@Tag("forked")
class LostGpuTopRowsTest {
  private static final int FILES = 12;
  private static final Map<String, String> SETTINGS =
      Map.of(
          PoolEntries.SIZE.key(),
          "64m",
          "spark.sql.files.maxPartitionBytes",
          "1g",
          "spark.sql.files.openCostInBytes",
          "1k",
          // 120 MB are left for five pages. Each sorter holds one until the end of its task.
          "spark.testing.memory",
          "500000000",
          "spark.testing.reservedMemory",
          "300000000",
          "spark.buffer.pageSize",
          "24m");

  @TempDir Path folder;

  @Test
  void sparksOperatorsSortWhatIsLeftToThemAtOnce() {
    LostDevice.start(SETTINGS);
    SparkSession spark = Sessions.transparent(folder.resolve("warehouse"), SETTINGS);
    try {
      String path = folder.resolve("t").toString();
      spark.range(0, 6000, 1, FILES).selectExpr("id", "id % 100 price").write().parquet(path);
      spark.read().parquet(path).createOrReplaceTempView("t");
      WithAndWithout both =
          WithAndWithout.run(spark, "select id from t order by price desc, id limit 5");
      assertThat(Stages.of(both.ours())).hasSize(1);
      assertThat(Stages.metric(both.ours(), "sparkSplits")).isEqualTo(FILES);
    } finally {
      spark.stop();
    }
  }
}
