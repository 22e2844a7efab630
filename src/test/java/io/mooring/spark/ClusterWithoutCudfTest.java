package io.mooring.spark;

import io.mooring.testing.Sessions;
import io.mooring.testing.SparkHomes;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An executor in a process of its own that lacks the jar of cudf. */
@Tag("extended")
@Tag("forked")
class ClusterWithoutCudfTest {
  @TempDir Path folder;

  @Test
  @Timeout(240)
  void executorsReadWithoutCudf() throws Exception {
    SparkHomes.link(name -> !name.startsWith("cudf"));
    SparkSession spark =
        Sessions.cluster(
            1,
            Map.of(
                "spark.jars", SparkHomes.mooring(folder).toString(),
                "spark.sql.warehouse.dir", folder.resolve("warehouse").toString(),
                "spark.mooring.sql.withoutGpu", "true",
                "spark.mooring.sql.pushdown", "always",
                "spark.mooring.pinnedPool.size", "64m"));
    try {
      LocalClusterTest.assertQueriesAreSparks(spark);
    } finally {
      spark.stop();
    }
  }
}
