package io.mooring.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mooring.stage.Stages;
import io.mooring.stage.replicated.ReplicatedTables;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.Sessions;
import io.mooring.testing.SparkHomes;
import io.mooring.testing.WithAndWithout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One executor has a GPU, and another of the same application has none. */
@Tag("forked")
@RequiresGpu
@Timeout(300)
class MixedExecutorsTest {
  private static final int EXECUTORS = 2;

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() throws Exception {
    SparkHomes.link(name -> true);
    Map<String, String> settings = new HashMap<>(ReplicatedTables.SETTINGS);
    settings.put("spark.jars", SparkHomes.mooring(folder).toString());
    settings.put("spark.sql.warehouse.dir", folder.resolve("warehouse").toString());
    settings.put("spark.executorEnv.JAVA_HOME", javaHome().toString());
    settings.put("spark.mooring.sql.stages", "always");
    settings.put("spark.mooring.sql.pushdown", "never");
    settings.put("spark.mooring.pinnedPool.size", "64m");
    // Tasks of a few files each, so that both executors get some.
    settings.put("spark.sql.files.maxPartitionBytes", "20k");
    settings.put("spark.sql.files.openCostInBytes", "1");
    spark = Sessions.cluster(EXECUTORS, settings);
    ReplicatedTables.create(spark, folder);
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> spark.sparkContext().getExecutorMemoryStatus().size() == EXECUTORS + 1);
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  /** A Java whose first process sees the GPUs, and no other one. */
  private static Path javaHome() throws IOException {
    Path home = folder.resolve("java");
    Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
    String script =
        """
        #!/bin/sh
        mkdir '%s' 2>/dev/null || export CUDA_VISIBLE_DEVICES=
        exec '%s/bin/java' "$@"
        """
            .formatted(home.resolve("first"), System.getProperty("java.home"));
    Files.writeString(java, script);
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    return home;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select l_mode, count(*), sum(l_suppkey) from lineitem where l_price > 1 group by l_mode",
        "select o_priority, c_segment, count(*), sum(l_suppkey) from lineitem join (select * from"
            + " orders join customer on o_custkey = c_custkey) on l_orderkey = o_orderkey group by"
            + " all",
        "select l_orderkey, o_custkey from lineitem left join orders on l_orderkey = o_orderkey"
      })
  void bothExecutorsGiveSparksRows(String query) {
    // Until each has had a task.
    await()
        .atMost(Duration.ofSeconds(120))
        .untilAsserted(
            () -> {
              WithAndWithout both = WithAndWithout.run(spark, query).assertOurs();
              assertThat(Stages.metric(both.ours(), "stageRowsIn")).isPositive();
              assertThat(Stages.metric(both.ours(), "sparkSplits")).isPositive();
            });
  }
}
