package io.mooring.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.Rmm;
import io.mooring.testing.Interpreted;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Units for which the operators of a stage need several times as much memory as for their rows. */
@Tag("forked-gpu")
@Tag("extended")
@RequiresGpu
class LargeUnitsTest {
  private static final long ROWS = 3_000_000;
  private static final int SUMS = 12;
  // Two columns of 16 bytes for each sum, where all rows are taken at once.
  private static final long AT_ONCE = 2 * ROWS * SUMS * 16;
  // A sixteenth of it is too little for all rows at once.
  private static final long DEVICE_BYTES = 1600L << 20;

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    Map<String, String> settings = new HashMap<>(Interpreted.COMPILED);
    double fraction = (double) DEVICE_BYTES / Cuda.memGetInfo().total;
    settings.put("spark.mooring.gpu.memory.fraction", String.valueOf(fraction));
    spark = Sessions.transparent(folder.resolve("warehouse"), settings);
    String path = folder.resolve("sales").toString();
    spark
        .range(0, ROWS, 1, 1)
        .selectExpr("id", "cast(id % 5 as int) k", "cast(id % 100000 as decimal(15,2)) price")
        .write()
        .parquet(path);
    spark.read().parquet(path).createOrReplaceTempView("sales");
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @Test
  void sumsOfLongDecimalsTakeAUnitInSlices() {
    assumeTrue(Runtime.getRuntime().availableProcessors() >= 16, "few tasks have large shares");
    String sums =
        IntStream.range(0, SUMS)
            .mapToObj(i -> "sum(price * cast(" + (i + 1) + " as decimal(15,2)))")
            .collect(Collectors.joining(", "));
    Rmm.resetScopedMaximumBytesAllocated(0);
    Stages.assertOnGpuAlone(
        WithAndWithout.run(spark, "select k, " + sums + " from sales group by k").ours());
    assertThat(Rmm.getScopedMaximumBytesAllocated()).isBetween(1L, AT_ONCE / 2);
  }

  @Test
  void groupsThatAreNearlyAsManyAsRowsAreMadeAtOnce() {
    String sums =
        IntStream.range(0, SUMS)
            .mapToObj(i -> "sum(price * cast(" + (i + 1) + " as decimal(15,2))) s" + i)
            .collect(Collectors.joining(", "));
    Stages.assertOnGpuAlone(
        WithAndWithout.run(
                spark,
                "select count(*), min(s0), max(s3), sum(s11) from (select id, "
                    + sums
                    + " from sales group by id)")
            .ours());
  }
}
