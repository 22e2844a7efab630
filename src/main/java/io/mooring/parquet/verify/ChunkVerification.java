package io.mooring.parquet.verify;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The pages of one column chunk, whose bytes several threads bring in parts: headers are gone
 * through in order, by whoever brings the part that was missing, checksums are reckoned by each for
 * its own part. Thread-safe.
 */
final class ChunkVerification {
  // Parts wait for those before them without their buffers up to this, in the whole process.
  private static final long MOST_LEFT_BYTES = 64L << 20;
  private static final AtomicLong LEFT_BYTES = new AtomicLong();

  private final PageScanner walk;
  private final DamageReport report;
  private final Map<Long, ChunkFragment> waiting = new TreeMap<>();
  private boolean failed;

  ChunkVerification(PageScanner walk, DamageReport report) {
    this.walk = walk;
    this.report = report;
  }

  /** Whether no byte is missing any more, or the rest need not be looked at. */
  synchronized boolean isDone() {
    return failed || walk.at() < 0;
  }

  /** Brings a part, whose bytes stay until it has been passed or is taken back. */
  void arrived(ChunkFragment part) {
    List<ChunkFragment> passed;
    synchronized (this) {
      waiting.put(part.range().offset(), part);
      passed = advance();
      notifyAll();
    }
    for (ChunkFragment other : passed) {
      if (other.isLeft()) {
        LEFT_BYTES.addAndGet(-other.range().length());
        check(other);
      }
    }
  }

  private List<ChunkFragment> advance() {
    List<ChunkFragment> passed = new ArrayList<>();
    while ((failed && !waiting.isEmpty()) || waiting.containsKey(walk.at())) {
      long next = failed ? waiting.keySet().iterator().next() : walk.at();
      ChunkFragment part = waiting.remove(next);
      part.pass(failed ? List.of() : pages(part));
      passed.add(part);
    }
    return passed;
  }

  private List<PageChecksum> pages(ChunkFragment part) {
    try {
      return walk.through(part.bytes(), part.range());
    } catch (IOException e) {
      failed = true;
      report.header(Math.max(part.range().offset(), walk.at()), String.valueOf(e.getMessage()));
      return List.of();
    }
  }

  /** Reckons the checksums of a part that has been passed. */
  void check(ChunkFragment part) {
    for (PageChecksum page : part.damagedPages()) {
      report.checksum(page.range().offset());
    }
  }

  /** Whether a part has been passed that is not left to others. */
  synchronized boolean isOwnAndPassed(ChunkFragment part) {
    return part.isPassed() && !part.isLeft();
  }

  /** Waits until a part has been passed; false when the time is over first. */
  synchronized boolean awaitPassed(ChunkFragment part, long millis) throws InterruptedException {
    long end = System.nanoTime() + millis * 1_000_000;
    long left = millis;
    while (!part.isPassed() && left > 0) {
      wait(left);
      left = (end - System.nanoTime()) / 1_000_000;
    }
    return part.isPassed();
  }

  /**
   * Leaves a part for others to check, so that its buffer can go back.
   *
   * @param anyway whether the limit of such copies does not count
   * @return false when it has been passed already, or there is no room for a copy
   */
  synchronized boolean leave(ChunkFragment part, boolean anyway) {
    long bytes = part.range().length();
    if (part.isPassed()) {
      return false;
    } else if (LEFT_BYTES.addAndGet(bytes) > MOST_LEFT_BYTES && !anyway) {
      LEFT_BYTES.addAndGet(-bytes);
      return false;
    }
    boolean left = false;
    try {
      part.leave(ByteBuffer.allocate((int) bytes).put(part.bytes().duplicate().rewind()).flip());
      left = true;
    } finally {
      LEFT_BYTES.addAndGet(left ? 0 : -bytes);
    }
    return true;
  }

  /** Takes a part back whose buffer goes away; nobody looks at its bytes afterwards. */
  synchronized void takeBack(ChunkFragment part) {
    if (!part.isLeft()) {
      waiting.remove(part.range().offset());
    }
  }

  /** The unit is given up: nobody will bring what left parts wait for. */
  synchronized void giveUp() {
    for (ChunkFragment part : waiting.values()) {
      LEFT_BYTES.addAndGet(part.isLeft() ? -part.range().length() : 0);
    }
    waiting.clear();
  }
}
