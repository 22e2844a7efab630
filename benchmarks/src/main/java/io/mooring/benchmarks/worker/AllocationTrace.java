package io.mooring.benchmarks.worker;

import io.mooring.memory.PinnedPool;
import java.io.IOException;
import java.nio.file.Path;

/** Records what the pool of this process hands out. */
final class AllocationTrace {

  private AllocationTrace() {}

  static void start() {
    PinnedPool.startTrace();
  }

  static void write(Path file) throws IOException {
    PinnedPool.writeTrace(file);
  }
}
