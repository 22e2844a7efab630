package io.mooring.stage.replicated;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The builds of relations on an executor's heap, which share a part of it with the relations that
 * are kept. Thread-safe.
 *
 * @param heap bytes of the heap
 * @param cached bytes of the relations that are kept
 * @param running bytes that all running builds have come to
 */
record HeapBuilds(LongSupplier heap, LongSupplier cached, AtomicLong running) {
  /** The builds of this process. */
  static final HeapBuilds OF_EXECUTOR =
      new HeapBuilds(
          Runtime.getRuntime()::maxMemory, ExecutorRelations::heapBytes, new AtomicLong());

  // Spark's memory manager counts a relation only once it is made.
  private static final int HEAP_PART = 5;
  // All relations together may take a third of the heap: a stage uses several at one time, and
  // several queries build theirs at a time.
  private static final int HEAP_PART_OF_ALL = 3;
  // LongToUnsafeRowMap has two arrays, which it doubles when they are full. One has the rows, each
  // with a pointer to the next row of its key. The other has two words for each key, and is at
  // least half empty.
  private static final int BYTES_PER_ROW_BYTE = 2;
  private static final int BYTES_PER_ROW = 2 * 8 + 2 * 2 * 16;

  /** Begins a build. */
  Build begin() {
    return new Build();
  }

  /** One build, until it is closed. Belongs to one thread. */
  final class Build implements AutoCloseable {
    private long own;

    /**
     * Counts what there is so far.
     *
     * @param count of rows
     * @param bytes of these
     * @return whether there is room for their relation
     */
    boolean fits(long count, long bytes) {
      long relation = BYTES_PER_ROW_BYTE * bytes + BYTES_PER_ROW * count;
      long others = running.addAndGet(relation - own) - relation;
      own = relation;
      long all = heap.getAsLong();
      long left = all / HEAP_PART_OF_ALL - cached.getAsLong() - others;
      return relation <= Math.min(all / HEAP_PART, left);
    }

    @Override
    public void close() {
      running.addAndGet(-own);
      own = 0;
    }
  }
}
