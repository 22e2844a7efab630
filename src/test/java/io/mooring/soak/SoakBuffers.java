package io.mooring.soak;

import io.mooring.memory.HostBuffer;
import io.mooring.memory.HostMemory;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** Takes host buffers of 1 KiB to 16 MiB and gives them back, some on another thread. */
final class SoakBuffers {
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
