package io.mooring.gpu;

import static org.awaitility.Awaitility.await;

import io.mooring.conf.GpuEntries;
import io.mooring.conf.PoolEntries;
import io.mooring.conf.SqlEntries;
import io.mooring.gpu.InjectedFault.LastingFault;
import io.mooring.jni.NativeLibrary;
import io.mooring.memory.PinnedPool;
import io.mooring.session.GpuAvailability;
import io.mooring.testing.LogCapture;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.apache.logging.log4j.Level;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** A process whose scans meet a lasting fault, and which tells what became of it. */
final class FaultedScans {
  static final String TOLD = "told ";

  private static final int TASKS = 4;
  private static final int SCANS = 5;
  // Libcudf keeps a few small blocks for the life of the process; a unit of the table takes more.
  private static final long SMALL_BYTES = 64 << 10;
  private static final Map<String, String> SETTINGS =
      Map.of(
          GpuEntries.DEVICES.key(),
          "first",
          PoolEntries.SIZE.key(),
          "64m",
          SqlEntries.PUSHDOWN.key(),
          "never");

  private final LastingFault fault;
  private final SparkSession spark;
  private final FaultTables table;
  private final CompletableFuture<Void> oneScan = new CompletableFuture<>();
  // Not the common pool: Hadoop needs a thread of it for the reads that these queries wait for.
  private final ExecutorService queries = Executors.newCachedThreadPool();

  private FaultedScans(LastingFault fault, Path folder) {
    this.fault = fault;
    if (fault.atStart()) {
      fault.happen();
    }
    this.spark = Sessions.withPlugin(TASKS, SETTINGS);
    this.table = FaultTables.write(spark, folder);
  }

  /** The name of a fault, and where the table goes. */
  public static void main(String[] arguments) {
    if (!NativeLibrary.load()) {
      throw new IllegalStateException(NativeLibrary.problem());
    }
    try (LogCapture log = LogCapture.open()) {
      FaultedScans scans =
          new FaultedScans(LastingFault.valueOf(arguments[0]), Path.of(arguments[1]));
      try {
        scans.run(log);
      } finally {
        // After a failure too: Spark's threads would keep the process alive.
        scans.spark.stop();
        scans.queries.shutdown();
      }
    }
  }

  private void run(LogCapture log) {
    if (fault.atStart()) {
      scanInParallel();
    } else {
      ScanResults.assertReadByGpuAlone(table.scan(0));
      CompletableFuture<Void> scans = CompletableFuture.runAsync(this::scanInParallel, queries);
      oneScan.join();
      fault.happen();
      scans.join();
    }
    Dataset<Row> last = table.scan(1);
    tell("gpuFiles", ScanResults.metric(last, "gpuFiles"));
    tell("cpuFiles", ScanResults.metric(last, "cpuFiles"));
    tell("expected", new GpuAvailability(spark).expected());
    tellRuntime();
    List<String> errors = log.messages(Level.ERROR);
    tell("errors", errors.size());
    tell("error", String.join(" ", errors).replace('\n', ' '));
  }

  /** Every result is compared with that of Spark's own reader. */
  private void scanInParallel() {
    CompletableFuture.allOf(
            Stream.of(1, 2)
                .map(third -> CompletableFuture.runAsync(() -> scanRepeatedly(third), queries))
                .toArray(CompletableFuture[]::new))
        .join();
  }

  private void scanRepeatedly(int third) {
    try {
      for (int i = 0; i < SCANS; i++) {
        table.scan(third);
        oneScan.complete(null);
      }
    } finally {
      oneScan.complete(null);
    }
  }

  private void tellRuntime() {
    GpuRuntime gpu = GpuRuntime.current().orElseThrow();
    tell("usable", gpu.usable());
    tell("reason", gpu.reason());
    tell("pinnedBytes", PinnedPool.stats().capacityBytes());
    if (fault != LastingFault.START) {
      await().until(() -> gpu.devices().areIdle());
    }
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> PinnedPool.stats().bytesInUse() < SMALL_BYTES);
  }

  private static void tell(String what, Object value) {
    System.out.println(TOLD + what + "=" + value);
  }
}
