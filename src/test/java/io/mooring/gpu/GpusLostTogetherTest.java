package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.conf.GpuEntries;
import io.mooring.conf.PoolEntries;
import io.mooring.conf.SqlEntries;
import io.mooring.testing.ChildJvm;
import io.mooring.testing.LogCapture;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A kernel goes astray on one GPU of a process: CUDA takes the other ones along. */
@Tag("forked-gpu")
@RequiresGpu(devices = 2)
class GpusLostTogetherTest {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir Path folder;

  @Test
  void sparksReaderGoesOn() throws Exception {
    String output = ChildJvm.toItsEnd(LIMIT, 0, GpusLostTogether.class, folder, folder.toString());
    assertThat(output).contains(GpusLostTogether.DONE);
  }

  /** A process on whose second GPU a kernel goes astray between scans, and that ends well. */
  static final class GpusLostTogether {
    static final String DONE = "all scans gave what Spark's reader gives";

    private static final int TASKS = 8;
    private static final int SCANS = 6;

    private GpusLostTogether() {}

    /** Where the table goes. */
    public static void main(String[] arguments) {
      SparkSession spark =
          Sessions.withPlugin(
              TASKS,
              Map.of(
                  GpuEntries.DEVICES.key(), "0,1",
                  PoolEntries.SIZE.key(), "64m",
                  SqlEntries.PUSHDOWN.key(), "never"));
      try (LogCapture log = LogCapture.open()) {
        FaultTables table = FaultTables.write(spark, Path.of(arguments[0]));
        ScanResults.assertReadByGpuAlone(table.scan(0));
        GpuRuntime gpu = GpuRuntime.current().orElseThrow();
        StrayKernel.runOn(gpu.devices().all().get(1));
        for (int i = 0; i < SCANS; i++) {
          table.scan(i % 3);
        }
        assertThat(gpu.usable()).isFalse();
        assertThat(gpu.devices().all())
            .allMatch(device -> device.problem().contains("cudaErrorIllegalAddress"));
        assertThat(log.messages(Level.ERROR))
            .singleElement()
            .asString()
            .contains("Mooring lost GPU", "Scans go on with Spark's own Parquet reader");
      } finally {
        spark.stop();
      }
      System.out.println(DONE);
    }
  }
}
