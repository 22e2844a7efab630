package io.mooring.gpu;

import io.mooring.conf.ExecutorMemory;
import io.mooring.conf.MooringConf;
import io.mooring.conf.SparkShare;
import io.mooring.memory.HostBuffer;
import io.mooring.memory.HostMemory;
import io.mooring.memory.HostMemoryExhaustedException;
import io.mooring.memory.PinnedPool;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Scans with default settings while the heap, the pool and the pageable memory beside it are as
 * full as they may be.
 */
final class ContainedExecutor {
  static final String LAST_WORD = "alive";
  private static final int MIB = 1 << 20;
  // What a scan, and the collector, need of the heap.
  private static final long FREE_HEAP = 384L * MIB;

  private ContainedExecutor() {}

  public static void main(String[] arguments) {
    Map<String, String> settings = Map.of("spark.mooring.pinnedPool.waitTimeout", "100ms");
    if (!RequiresGpu.Condition.gpuIsThere()) {
      // All but the device: its memory is touched, not pinned.
      PoolStart pool =
          new PoolStart(
              MooringConf.from(settings), ExecutorMemory.ofThisProcess(SparkShare.NONE, 1));
      pool.start(List.of(-1));
    }
    SparkSession spark = Sessions.withPlugin(4, settings);
    scan(spark, arguments[0] + "/table");
    PinnedPool.awaitStarted(Duration.ofMinutes(1));
    List<HostBuffer> buffers = allThereAre();
    byte[][] heap = fullHeap();
    buffers.forEach(HostBuffer::close);
    scan(spark, arguments[0] + "/second");
    System.out.println(
        heap.length + " MiB of the heap held; pool of " + PinnedPool.stats().capacityBytes());
    spark.stop();
    System.out.println(LAST_WORD);
  }

  private static void scan(SparkSession spark, String path) {
    spark.range(1_000_000).selectExpr("id", "cast(id as string) s").write().parquet(path);
    Dataset<Row> ours = spark.sql("select sum(id), max(s) from mooring.`" + path + "`");
    ScanResults.assertSame(ours, spark.sql("select sum(id), max(s) from parquet.`" + path + "`"));
    ScanResults.assertReadByGpuIfThereIsOne(ours);
  }

  private static List<HostBuffer> allThereAre() {
    List<HostBuffer> buffers = new ArrayList<>();
    try {
      while (true) {
        buffers.add(HostMemory.allocate(MIB));
      }
    } catch (HostMemoryExhaustedException e) {
      System.out.println(buffers.size() + " buffers of 1 MiB");
      return buffers;
    }
  }

  private static byte[][] fullHeap() {
    Runtime runtime = Runtime.getRuntime();
    long used = runtime.totalMemory() - runtime.freeMemory();
    byte[][] held = new byte[(int) ((runtime.maxMemory() - used - FREE_HEAP) / MIB)][];
    for (int i = 0; i < held.length; i++) {
      held[i] = new byte[MIB];
      Arrays.fill(held[i], (byte) i);
    }
    return held;
  }
}
