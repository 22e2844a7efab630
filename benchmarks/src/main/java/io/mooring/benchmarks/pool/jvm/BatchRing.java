package io.mooring.benchmarks.pool.jvm;

import java.util.concurrent.atomic.AtomicLong;

/** Up to four batches of buffers on their way from one writer to one reader. */
final class BatchRing {

  /** Buffers of a batch: those of one unit of reading. */
  static final int BATCH = 32;

  /** Batches that can wait in it. */
  static final int SIZE = 4;

  private final AutoCloseable[][] batches = new AutoCloseable[SIZE][BATCH];
  private final AtomicLong written = new AtomicLong();
  private final AtomicLong read = new AtomicLong();

  boolean isFull() {
    return written.getPlain() - read.getAcquire() == SIZE;
  }

  boolean isEmpty() {
    return read.getPlain() == written.getAcquire();
  }

  /** Allocates a batch; there must be room. */
  void fill(JavaArm arm, Sizes sizes) {
    long at = written.getPlain();
    AutoCloseable[] batch = batches[(int) (at % SIZE)];
    for (int i = 0; i < BATCH; i++) {
      batch[i] = arm.allocate(sizes.next());
    }
    written.setRelease(at + 1);
  }

  /** Frees the oldest batch; there must be one. */
  void empty() throws Exception {
    long at = read.getPlain();
    for (AutoCloseable buffer : batches[(int) (at % SIZE)]) {
      buffer.close();
    }
    read.setRelease(at + 1);
  }
}
