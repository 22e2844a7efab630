package io.mooring.benchmarks.pool.jvm;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Buffers that are freed some time after they were allocated, by the same thread or by another. The
 * work is fixed: as many batches for each ring, timed from the moment at which all threads begin
 * until the last buffer is free. It is done again with more of them until it takes long enough.
 *
 * @param cross half of the threads allocate, the other half frees; else each has a ring of its own
 */
record Rings(JavaArm arm, boolean cross, int threads, long seed) {

  private static final double LEAST_GROWTH = 2;
  private static final double MOST_GROWTH = 8;

  /**
   * The first pass that takes at least {@code least} seconds: its operations, which are buffers
   * allocated and freed, and its seconds.
   */
  Map<String, Object> measure(double least) throws InterruptedException, ExecutionException {
    for (long batches = BatchRing.SIZE; ; ) {
      double seconds = pass(batches);
      if (seconds >= least) {
        long rings = cross ? threads / 2 : threads;
        return Map.of("operations", rings * batches * BatchRing.BATCH, "seconds", seconds);
      }
      double factor = Math.max(LEAST_GROWTH, Math.min(MOST_GROWTH, 1.25 * least / seconds));
      batches = (long) (batches * factor);
    }
  }

  private double pass(long batches) throws InterruptedException, ExecutionException {
    List<BatchRing> rings = Stream.generate(BatchRing::new).limit(threads).toList();
    return ThreadTeam.start(threads, (index, crew) -> work(rings, index, batches, crew)).join();
  }

  private void work(List<BatchRing> rings, int index, long batches, ThreadTeam crew)
      throws Exception {
    BatchRing ring = rings.get(cross ? index / 2 : index);
    Sizes sizes = new Sizes(seed + index);
    long toFill = cross && index % 2 == 1 ? 0 : batches;
    long toEmpty = cross && index % 2 == 0 ? 0 : batches;
    for (int idle = 1; toFill + toEmpty > 0; ) {
      // A thread that does both keeps its ring full, so that buffers live as long as with two.
      if (toFill > 0 && !ring.isFull()) {
        ring.fill(arm, sizes);
        toFill--;
      } else if (toEmpty > 0 && !ring.isEmpty()) {
        ring.empty();
        toEmpty--;
      } else if (idle++ % 64 != 0) {
        Thread.onSpinWait();
      } else if (crew.hasFailed()) {
        return;
      } else {
        Thread.yield();
      }
    }
  }

  /** Up to four batches of buffers on their way from one writer to one reader. */
  private static final class BatchRing {

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
}
