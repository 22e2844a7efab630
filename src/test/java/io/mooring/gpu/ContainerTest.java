package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.mooring.conf.ExecutorMemory;
import io.mooring.conf.ExecutorMemory.SparkShare;
import io.mooring.conf.MooringConf;
import io.mooring.memory.HostBuffer;
import io.mooring.memory.HostMemory;
import io.mooring.memory.HostMemoryExhaustedException;
import io.mooring.memory.PinnedPool;
import io.mooring.testing.ChildJvm;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An executor under a container's memory limit, with everything full at the same time. */
@Tag("extended")
@Tag("forked")
class ContainerTest {
  private static final long MIB = 1L << 20;

  // The collector that executors have. The other tests' parallel one cannot be filled: it never
  // allocates in its survivor spaces.
  private static final List<String> COLLECTOR = List.of("-XX:-UseParallelGC", "-XX:+UseG1GC");

  @TempDir Path folder;

  /** The pod of a heap of 8 GiB and Spark's own overhead of a tenth. */
  @Test
  @RequiresGpu
  @Timeout(300)
  void aPodWithSparksDefaultOverheadLives() throws Exception {
    assertLives("8g", 9011 * MIB, "The pinned pool gets 50 of 2252 MiB");
  }

  /** Smaller, and without the driver: on every machine that lets a cgroup be made. */
  @Test
  @Timeout(300)
  void asMuchAsTheRuleSaysFits() throws Exception {
    assertLives("1g", 2048 * MIB, "spark.executor.memoryOverhead=");
  }

  private void assertLives(String heap, long limit, String warning) throws Exception {
    Path output = folder.resolve("output");
    try (MemoryCgroup container = MemoryCgroup.of(limit)) {
      List<String> options = new ArrayList<>(COLLECTOR);
      options.add("-Xmx" + heap);
      List<String> command =
          ChildJvm.of(options, ContainedExecutor.class, folder, folder.toString()).command();
      Process process =
          container
              .run(command, folder)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      try {
        assertThat(process.waitFor(280, TimeUnit.SECONDS)).as("it ends").isTrue();
        System.out.println(container.usage());
        assertThat(process.exitValue()).as(container.usage() + Files.readString(output)).isZero();
      } finally {
        process.destroyForcibly().waitFor();
      }
    }
    String text = Files.readString(output);
    text.lines().filter(line -> line.contains("VmRSS")).forEach(System.out::println);
    assertThat(text).contains(ContainedExecutor.LAST_WORD).contains(warning);
  }

  /**
   * Scans with default settings while the heap, the pool and the pageable memory beside it are as
   * full as they may be.
   */
  static final class ContainedExecutor {
    static final String LAST_WORD = "alive";
    private static final int MIB = 1 << 20;
    // A whole number of these, with their headers, fills a region of the collector; arrays of 1 MiB
    // would leave up to half of it empty.
    private static final int PIECE = (64 << 10) - 16;
    // What a scan needs of the heap; of a large one more than the tenth that the collector
    // reserves.
    private static final long LEAST_FREE_HEAP = 384L * MIB;
    private static final int FREE_PART = 8;

    private ContainedExecutor() {}

    public static void main(String[] arguments) throws IOException {
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
      assertHeapIsResident();
      buffers.forEach(HostBuffer::close);
      scan(spark, arguments[0] + "/second");
      assertHeapIsResident();
      System.out.println(
          (long) heap.length * PIECE / MIB
              + " MiB of the heap held; pool of "
              + PinnedPool.stats().capacityBytes());
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
      System.gc();
      long used = runtime.totalMemory() - runtime.freeMemory();
      long free = Math.max(LEAST_FREE_HEAP, runtime.maxMemory() / FREE_PART);
      byte[][] held = new byte[(int) ((runtime.maxMemory() - used - free) / PIECE)][];
      for (int i = 0; i < held.length; i++) {
        held[i] = new byte[PIECE];
        Arrays.fill(held[i], (byte) i);
      }
      return held;
    }

    /** Also says what of the process is resident: only anonymous memory cannot be reclaimed. */
    private static void assertHeapIsResident() throws IOException {
      List<String> resident;
      try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
        resident = lines.filter(line -> line.matches("(VmRSS|Rss.*):.*")).toList();
      }
      System.out.println(resident);
      long bytes = Long.parseLong(resident.get(0).replaceAll("\\D", "")) << 10;
      assertThat(bytes).isGreaterThan(Runtime.getRuntime().maxMemory());
    }
  }

  /** A cgroup with a memory limit, as a container has, for processes that a test starts. */
  private static final class MemoryCgroup implements AutoCloseable {
    private static final Path V2 = Path.of("/sys/fs/cgroup");
    private static final Path V1 = V2.resolve("memory");

    private final Path group;

    private MemoryCgroup(Path group) {
      this.group = group;
    }

    /**
     * Makes one below the top of the hierarchy, which takes root.
     *
     * @param bytes past which the system ends a process; skips the test where none can be made
     */
    public static MemoryCgroup of(long bytes) throws IOException {
      boolean isV1 = Files.isDirectory(V1);
      Path group = (isV1 ? V1 : V2).resolve("mooring-test-" + ProcessHandle.current().pid());
      try {
        Files.createDirectory(group);
        Path limit = group.resolve(isV1 ? "memory.limit_in_bytes" : "memory.max");
        Files.writeString(limit, String.valueOf(bytes));
        return new MemoryCgroup(group);
      } catch (IOException e) {
        Files.deleteIfExists(group);
        return abort("no memory cgroup can be made here: " + e);
      }
    }

    /** A command that runs inside. */
    public ProcessBuilder run(List<String> command, Path folder) {
      String enter = "echo $$ > " + group.resolve("cgroup.procs") + " && exec \"$@\"";
      ProcessBuilder inside = new ProcessBuilder("sh", "-c", enter, "sh");
      inside.command().addAll(command);
      return inside.directory(folder.toFile());
    }

    /** What the kernel counts there now, in its own words. */
    public String usage() throws IOException {
      StringBuilder text = new StringBuilder();
      for (String name :
          List.of(
              "memory.max_usage_in_bytes", "memory.peak", "memory.events", "memory.oom_control")) {
        Path file = group.resolve(name);
        if (Files.exists(file)) {
          text.append(name).append(": ").append(Files.readString(file));
        }
      }
      return text.toString();
    }

    @Override
    public void close() throws IOException {
      Files.delete(group);
    }
  }
}
