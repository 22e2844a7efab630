package io.mooring.soak;

import io.mooring.gpu.GpuRuntime;
import io.mooring.memory.HostBuffer;
import io.mooring.memory.HostMemory;
import io.mooring.memory.PinnedPool;
import io.mooring.memory.PoolSettings;
import io.mooring.testing.PushdownTables;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.Sessions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.network.util.JavaUtils;
import org.apache.spark.sql.SparkSession;

/** One process of the soak: queries, buffers beside them, and a look at memory now and then. */
final class Soak {
  private static final int TASKS = 16;
  private static final int QUERY_THREADS = 4;
  private static final int BUFFER_THREADS = 2;
  private static final int ROWS = 20_000;
  private static final long SAMPLE_MILLIS = 2_000;

  private Soak() {}

  /** Seconds, seed, size of the pool. */
  public static void main(String[] arguments) throws Exception {
    long seconds = Long.parseLong(arguments[0]);
    long seed = Long.parseLong(arguments[1]);
    SparkSession spark = session(arguments[2]);
    spark.sparkContext().setLogLevel("OFF");
    PushdownTables.create(spark, Files.createTempDirectory(Path.of("."), "soak"), seed, ROWS);
    spark.table("ours").createOrReplaceGlobalTempView("ours");
    SoakQueries queries = SoakQueries.of(spark, seed);
    SoakBuffers buffers = new SoakBuffers(seed);
    startPlainPool(arguments[2]);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < QUERY_THREADS; i++) {
      int number = i;
      threads.add(started(() -> queries.run(spark.newSession(), number, end)));
    }
    for (int i = 0; i < BUFFER_THREADS; i++) {
      threads.add(started(() -> buffers.run(end)));
    }
    List<Long> resident = sample(end);
    for (Thread thread : threads) {
      thread.join();
    }
    spark.stop();
    System.out.println(SoakResult.RESIDENT + course(resident));
    System.out.println(
        queries
            .result(buffers.blocks(), bytesInUse(), median(resident, 1), median(resident, 3))
            .line());
  }

  private static SparkSession session(String pool) {
    return Sessions.withPlugin(
        TASKS,
        Map.of(
            "spark.mooring.pinnedPool.size",
            pool,
            "spark.mooring.sql.pushdown",
            "always",
            "spark.scheduler.mode",
            "FAIR"));
  }

  /** Without a GPU nothing starts a pool; its core works over pageable memory all the same. */
  private static void startPlainPool(String pool) {
    GpuRuntime.current().ifPresent(GpuRuntime::usable);
    if (!RequiresGpu.Condition.gpuIsThere()) {
      long bytes = JavaUtils.byteStringAsBytes(pool);
      PinnedPool.start(
          new PoolSettings(
              bytes,
              2 * bytes,
              512 << 20,
              Duration.ofSeconds(5),
              2,
              -1,
              List.of(), /* leaks */
              false));
    }
  }

  private static Thread started(Runnable work) {
    Thread thread = new Thread(work);
    thread.start();
    return thread;
  }

  private static List<Long> sample(long end) throws Exception {
    List<Long> resident = new ArrayList<>();
    while (System.nanoTime() < end) {
      Thread.sleep(SAMPLE_MILLIS);
      String pages = Files.readString(Path.of("/proc/self/statm")).split(" ")[1];
      resident.add(Long.parseLong(pages) * 4096);
    }
    return resident;
  }

  /** Twenty of them in MiB, in order. */
  private static String course(List<Long> resident) {
    return IntStream.range(0, 20)
        .mapToObj(i -> "" + (resident.get(i * resident.size() / 20) >> 20))
        .collect(Collectors.joining(" "));
  }

  private static long median(List<Long> all, int quarter) {
    List<Long> part = all.subList(quarter * all.size() / 4, (quarter + 1) * all.size() / 4);
    return part.stream().sorted().skip(part.size() / 2).findFirst().orElse(0L);
  }

  /** Tasks that were cancelled give back what they hold a moment later. */
  private static long bytesInUse() throws InterruptedException {
    for (int i = 0; i < 100 && PinnedPool.stats().bytesInUse() > 0; i++) {
      Thread.sleep(100);
    }
    return PinnedPool.stats().bytesInUse();
  }

  /** Takes host buffers of 1 KiB to 16 MiB and gives them back, some on another thread. */
  private static final class SoakBuffers {
    private static final int SMALLEST_BITS = 10;
    private static final int BITS = 14;
    private static final int HELD = 24;

    private final AtomicLong blocks = new AtomicLong();
    private final AtomicLong threads = new AtomicLong();
    private final Deque<HostBuffer> shared = new ArrayDeque<>();
    private final long seed;

    SoakBuffers(long seed) {
      this.seed = seed;
    }

    long blocks() {
      return blocks.get();
    }

    void run(long end) {
      Random random = new Random(seed + threads.incrementAndGet());
      try {
        while (System.nanoTime() < end) {
          long bytes = (1L << (SMALLEST_BITS + random.nextInt(BITS))) + random.nextInt(1000);
          put(HostMemory.allocate(bytes));
          blocks.incrementAndGet();
          Thread.sleep(1);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      synchronized (shared) {
        shared.forEach(HostBuffer::close);
        shared.clear();
      }
    }

    private void put(HostBuffer buffer) {
      HostBuffer old = null;
      synchronized (shared) {
        shared.add(buffer);
        if (shared.size() > HELD) {
          old = shared.remove();
        }
      }
      if (old != null) {
        old.close();
      }
    }
  }
}
