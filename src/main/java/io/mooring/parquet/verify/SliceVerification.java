package io.mooring.parquet.verify;

import io.mooring.parquet.source.FileRange;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * One piece of a unit's bytes, which can hold parts of several column chunks. Used by one thread at
 * a time.
 */
public final class SliceVerification {
  // By then what is before the piece has been read, unless its reader waits for memory.
  private static final long BRIEF_MILLIS = 5;
  // Long enough for what others read; not for ever, as they may need what the piece holds.
  private static final long LONG_MILLIS = 1_000;

  /** A part that is not checked yet. */
  private record Open(ChunkVerification chunk, ChunkFragment part) {}

  private final FileRange range;
  private final List<UnitVerification.Stretch> stretches;
  private final List<Open> open = new ArrayList<>();

  SliceVerification(FileRange range, List<UnitVerification.Stretch> stretches) {
    this.range = range;
    this.stretches = stretches;
  }

  /** Whether nothing in it is to be checked. */
  public boolean isEmpty() {
    return stretches.isEmpty();
  }

  /** The piece's bytes are there: checks what can be checked at once, while caches have them. */
  public void read(ByteBuffer bytes) {
    for (UnitVerification.Stretch stretch : stretches) {
      long from = Math.max(range.offset(), stretch.range().offset());
      long end = Math.min(range.end(), stretch.range().end());
      ByteBuffer own = bytes.slice((int) (from - range.offset()), (int) (end - from));
      ChunkFragment part = new ChunkFragment(new FileRange(from, end - from), own);
      open.add(new Open(stretch.chunk(), part));
      stretch.chunk().arrived(part);
    }
    open.removeIf(SliceVerification::checked);
  }

  private static boolean checked(Open one) {
    boolean passed = one.chunk().isOwnAndPassed(one.part());
    if (passed) {
      one.chunk().check(one.part());
    }
    return passed;
  }

  /** Whether something was read that could not be checked at once. */
  public boolean isOpen() {
    return !open.isEmpty();
  }

  /**
   * Checks the rest, or leaves a copy of it to those who read what comes before it: the piece's
   * bytes may go afterwards. Waits while too many copies are waiting, a second at most.
   *
   * @param cancelled whether the unit is not wanted any more
   * @throws InterruptedException when the thread is interrupted while it waits
   */
  public void finish(BooleanSupplier cancelled) throws InterruptedException {
    long patience = BRIEF_MILLIS;
    long end = System.nanoTime() + LONG_MILLIS * 1_000_000;
    for (Open one : List.copyOf(open)) {
      while (!cancelled.getAsBoolean() && !one.chunk().awaitPassed(one.part(), patience)) {
        if (one.chunk().leave(one.part(), System.nanoTime() - end > 0)) {
          // What is behind it in the piece waits for the same bytes.
          patience = 0;
          break;
        }
        patience = BRIEF_MILLIS;
      }
    }
    open.removeIf(SliceVerification::checked);
    takeBack();
  }

  /** The piece's bytes go away, checked or not. */
  public void takeBack() {
    open.forEach(one -> one.chunk().takeBack(one.part()));
    open.clear();
  }
}
