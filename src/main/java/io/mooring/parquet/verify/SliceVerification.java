package io.mooring.parquet.verify;

import io.mooring.parquet.source.FileRange;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Verifies one slice of a unit's bytes, which can hold fragments of several column chunks. Used by
 * one thread at a time.
 */
public final class SliceVerification {
  // By then the slices before have been read, unless their thread waits for memory.
  private static final long BRIEF_MILLIS = 5;
  // Long enough for other threads to read; bounded, as they may need this slice's memory.
  private static final long LONG_MILLIS = 1_000;

  /** A fragment that is not checked yet. */
  private record Open(ChunkVerification chunk, ChunkFragment fragment) {}

  private final FileRange range;
  private final List<UnitVerification.ChunkRange> chunkRanges;
  private final List<Open> open = new ArrayList<>();

  SliceVerification(FileRange range, List<UnitVerification.ChunkRange> chunkRanges) {
    this.range = range;
    this.chunkRanges = chunkRanges;
  }

  /** Whether it holds nothing to verify. */
  public boolean isEmpty() {
    return chunkRanges.isEmpty();
  }

  /** Verifies what can be verified at once, while the bytes are in the core's cache. */
  public void read(ByteBuffer bytes) {
    for (UnitVerification.ChunkRange chunkRange : chunkRanges) {
      long from = Math.max(range.offset(), chunkRange.range().offset());
      long end = Math.min(range.end(), chunkRange.range().end());
      ByteBuffer own = bytes.slice((int) (from - range.offset()), (int) (end - from));
      ChunkFragment fragment = new ChunkFragment(new FileRange(from, end - from), own);
      open.add(new Open(chunkRange.chunk(), fragment));
      chunkRange.chunk().arrived(fragment);
    }
    open.removeIf(SliceVerification::checked);
  }

  private static boolean checked(Open one) {
    boolean passed = one.chunk().isOwnAndPassed(one.fragment());
    if (passed) {
      one.chunk().check(one.fragment());
    }
    return passed;
  }

  /** Whether something could not be verified at once. */
  public boolean isOpen() {
    return !open.isEmpty();
  }

  /**
   * Verifies the rest, or hands a copy of it to the threads that read what comes before it; the
   * bytes may go afterwards. Waits while too many copies are waiting, a second at most.
   *
   * @param cancelled whether the unit has been given up
   * @throws InterruptedException when the thread is interrupted while it waits
   */
  public void finish(BooleanSupplier cancelled) throws InterruptedException {
    long patience = BRIEF_MILLIS;
    long end = System.nanoTime() + LONG_MILLIS * 1_000_000;
    for (Open one : List.copyOf(open)) {
      while (!cancelled.getAsBoolean() && !one.chunk().awaitPassed(one.fragment(), patience)) {
        if (one.chunk().detach(one.fragment(), System.nanoTime() - end > 0)) {
          // The rest of the slice waits for the same bytes.
          patience = 0;
          break;
        }
        patience = BRIEF_MILLIS;
      }
    }
    open.removeIf(SliceVerification::checked);
    takeBack();
  }

  /** Forgets the bytes, verified or not. */
  public void takeBack() {
    open.forEach(one -> one.chunk().takeBack(one.fragment()));
    open.clear();
  }
}
