package io.mooring.memory;

import java.time.Duration;
import java.util.List;
import java.util.Random;

/**
 * A process whose main thread ends while buffers are open, daemon threads allocate and free, one
 * waits for memory, and the pool grows.
 */
final class ExitWithBuffers {
  static final String LAST_WORD = "main ends";
  private static final int MIB = 1 << 20;

  private ExitWithBuffers() {}

  public static void main(String[] args) throws InterruptedException {
    PinnedPool.start(
        new PoolSettings(
            64L * MIB,
            256L * MIB,
            8L * MIB,
            Duration.ofMinutes(5),
            1,
            -1,
            List.of(), /* leaks */
            true));
    PinnedPool.awaitStarted(Duration.ofSeconds(30));
    HostBuffer open = HostMemory.allocate(3 * MIB);
    for (int t = 0; t < 4; t++) {
      daemon(ExitWithBuffers::churnForEver);
    }
    daemon(ExitWithBuffers::takeEverything);
    while (PinnedPool.stats().get(PoolStat.WAIT_COUNT) == 0) {
      Thread.sleep(1);
    }
    System.out.println(LAST_WORD + ", " + open.length() + " bytes open");
  }

  private static void daemon(Runnable work) {
    Thread thread = new Thread(work);
    thread.setDaemon(true);
    thread.start();
  }

  private static void churnForEver() {
    Random random = new Random();
    while (true) {
      try (HostBuffer buffer = HostMemory.allocate(1 + random.nextInt(MIB))) {
        HostMemory.copyIn(new byte[1], 1, buffer.address());
      }
    }
  }

  private static void takeEverything() {
    HostBuffer[] held = new HostBuffer[10_000];
    for (int i = 0; i < held.length; i++) {
      held[i] = HostMemory.allocate(2 * MIB);
    }
  }
}
