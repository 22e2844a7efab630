package io.mooring.stage;

import io.mooring.testing.RequiresGpu;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Variances of values that lie close together, far from zero, and of special values. */
@RequiresGpu
class VariancesTest {
  private static final String FUNCTIONS = "stddev(%1$s), stddev_pop(%1$s), var_pop(%1$s)";

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark =
        Sessions.transparent(
            folder.resolve("warehouse"), Map.of("spark.mooring.pinnedPool.size", "64m"));
    String path = folder.resolve("measured").toString();
    spark
        .range(0, 60_000, 1, 2)
        .selectExpr(
            "cast(id % 300 as int) k",
            "concat('key ', id % 7) t",
            "if(id % 11 = 5, null, (id % 300) * 0.1D) one",
            "1e9D + id % 10 far",
            "1e200D * (1 + id % 300) large",
            "case id % 300 when 1 then double('NaN') when 2 then double('Infinity')"
                + " when 3 then if(id % 5 = 0, double('NaN'), 3) when 4 then null"
                + " when 5 then if(id % 5 = 0, -0.0D, 0.0D) else 7.7D end special")
        .write()
        .parquet(path);
    spark.read().parquet(path).createOrReplaceTempView("measured");
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @ParameterizedTest
  @ValueSource(strings = {"one", "large", "special"})
  void groupsOfOneValue_haveExactlySparksVariance(String column) {
    for (String key : new String[] {"k", "k, t"}) {
      String query =
          "select " + key + ", " + FUNCTIONS.formatted(column) + " from measured group by " + key;
      Stages.assertOnGpuAlone(WithAndWithout.run(spark, query).ours());
    }
  }

  @Test
  void valuesFarFromZero_haveSparksVariance() {
    String query =
        "select k % 20 g, round(stddev(far), 6), round(var_pop(far), 6), round(var_samp(far - 1e9D), 6)"
            + " from measured group by g";
    Stages.assertOnGpuAlone(WithAndWithout.run(spark, query).ours());
  }
}
