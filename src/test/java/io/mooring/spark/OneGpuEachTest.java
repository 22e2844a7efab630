package io.mooring.spark;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.mooring.report.ExecutorReport;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import io.mooring.testing.SparkHomes;
import io.mooring.testing.WithAndWithout;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two executors of one host to each of which Spark gives a GPU of its own. */
@Tag("forked-gpu")
@RequiresGpu(devices = 2)
class OneGpuEachTest {
  @TempDir Path folder;

  @Test
  @Timeout(300)
  void eachExecutorUsesTheGpuThatSparkHasGivenIt() throws Exception {
    SparkHomes.link(name -> true);
    SparkSession spark = Sessions.withPlugin(1, settings());
    try {
      await()
          .atMost(Duration.ofSeconds(120))
          .untilAsserted(() -> assertThat(Reports.DEVICES).hasSize(2));
      assertThat(Reports.DEVICES.values())
          .anyMatch(device -> device.startsWith("GPU 0 "))
          .anyMatch(device -> device.startsWith("GPU 1 "))
          .noneMatch(device -> device.contains(","));
      spark.sql("create table facts using parquet as select id, id * 2 as d from range(0, 20000)");
      WithAndWithout both = WithAndWithout.run(spark, "select * from facts where d > 100");
      ScanResults.assertReadByGpuAlone(both.assertOurs().ours());
      WithAndWithout.run(
              spark,
              "select d % 7, count(*) from facts join (select id k from facts where d % 3 = 0)"
                  + " on id = k group by 1")
          .assertOurs();
      // A context that an executor has on the GPU of another one takes some 500 MiB of its memory.
      Map<Long, Set<String>> contexts = gpusOfExecutors();
      assumeThat(contexts).as("nvidia-smi sees no processes of a container").isNotEmpty();
      assertThat(contexts).hasSize(2).allSatisfy((executor, gpus) -> assertThat(gpus).hasSize(1));
    } finally {
      spark.stop();
    }
  }

  /** The GPUs on which each executor, a child of this process, has a context. */
  private static Map<Long, Set<String>> gpusOfExecutors() throws IOException {
    Set<Long> executors =
        ProcessHandle.current().descendants().map(ProcessHandle::pid).collect(toSet());
    Process list =
        new ProcessBuilder(
                "nvidia-smi", "--query-compute-apps=pid,gpu_uuid", "--format=csv,noheader")
            .start();
    try (BufferedReader lines = list.inputReader()) {
      return lines
          .lines()
          .map(line -> line.split(", "))
          .filter(app -> executors.contains(Long.parseLong(app[0])))
          .collect(groupingBy(app -> Long.parseLong(app[0]), mapping(app -> app[1], toSet())));
    }
  }

  /** One worker with both GPUs, and executors of one core. */
  private Map<String, String> settings() throws Exception {
    URI classes = MooringPlugin.class.getProtectionDomain().getCodeSource().getLocation().toURI();
    Path script = Path.of(System.getProperty("mooring.basedir"), "examples", "discover-gpus");
    return Map.ofEntries(
        Map.entry("spark.master", "local-cluster[1,2,2048]"),
        Map.entry("spark.executor.cores", "1"),
        Map.entry("spark.executor.memory", "900m"),
        Map.entry("spark.extraListeners", Reports.class.getName()),
        Map.entry("spark.worker.resource.gpu.amount", "2"),
        Map.entry("spark.worker.resource.gpu.discoveryScript", script.toString()),
        Map.entry("spark.executor.resource.gpu.amount", "1"),
        Map.entry("spark.task.resource.gpu.amount", "1"),
        Map.entry("spark.sql.warehouse.dir", folder.resolve("warehouse").toString()),
        Map.entry(
            "spark.jars",
            SparkHomes.jar(Path.of(classes), folder.resolve("mooring.jar")).toString()),
        Map.entry("spark.mooring.sql.parquet.enabled", "true"),
        Map.entry("spark.mooring.ui.reportInterval", "1s"),
        Map.entry("spark.mooring.pinnedPool.size", "64m"));
  }

  /** The GPU that each executor says it uses. */
  public static final class Reports extends SparkListener {
    private static final Map<String, String> DEVICES = new ConcurrentHashMap<>();

    @Override
    public void onOtherEvent(SparkListenerEvent event) {
      if (event instanceof ExecutorReport report && !report.device().isEmpty()) {
        DEVICES.put(report.executor(), report.device());
      }
    }
  }
}
