package io.mooring.benchmarks.worker.jvm;

import io.mooring.memory.HostBuffer;
import io.mooring.memory.HostMemory;
import io.mooring.memory.PinnedPool;
import io.mooring.memory.PoolSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Known operations on a pool over memory that no driver has pinned, each group of them with a trace
 * of its own. Arguments: the recorder's library, and the folder for the traces. Prints the
 * addresses of two buffers, and what is thrown where a trace cannot be had.
 */
final class TracedOperations {
  private static final long MIB = 1 << 20;

  private TracedOperations() {}

  public static void main(String[] args) throws Exception {
    Path library = Path.of(args[0]);
    Path folder = Path.of(args[1]);
    System.out.println(refusal(() -> AllocationTrace.start(library)));
    PinnedPool.start(
        new PoolSettings(
            16 * MIB, 16 * MIB, 4 * MIB, Duration.ofMillis(100), 1, -1, List.of(), false));
    PinnedPool.awaitStarted(Duration.ofSeconds(30));
    HostMemory.allocate(64).close();
    AllocationTrace.start(library);
    useTheBuffers();
    AllocationTrace.write(folder.resolve("operations"));
    startTwice(library, folder);
    System.out.println(refusal(() -> AllocationTrace.write(folder.resolve("no").resolve("t"))));
  }

  private static void useTheBuffers() throws InterruptedException {
    HostBuffer small = HostMemory.allocate(1000);
    HostBuffer large = HostMemory.allocate(3 * MIB + 1);
    System.out.println(small.address() + " " + large.address());
    if (HostMemory.tryAllocatePinned(17 * MIB) != null) {
      throw new AssertionError("more than the pool");
    }
    fallBack();
    Thread other = new Thread(small::close);
    other.start();
    other.join();
    large.close();
  }

  /** A buffer beside the pool, which no trace has. */
  private static void fallBack() {
    try (HostBuffer rest = HostMemory.allocate(8 * MIB);
        HostBuffer pageable = HostMemory.allocate(2 * MIB)) {
      if (!rest.isPinned() || pageable.isPinned()) {
        throw new AssertionError("not where they were to be");
      }
    }
  }

  private static void startTwice(Path library, Path folder) throws IOException {
    AllocationTrace.start(library);
    HostMemory.allocate(100).close();
    AllocationTrace.start(library);
    HostMemory.allocate(200).close();
    AllocationTrace.write(folder.resolve("second"));
    HostMemory.allocate(300).close();
    AllocationTrace.write(folder.resolve("after"));
  }

  private interface Work {
    void run() throws Exception;
  }

  private static String refusal(Work work) {
    try {
      work.run();
    } catch (Exception e) {
      return e.toString();
    }
    throw new AssertionError("nothing was thrown");
  }
}
