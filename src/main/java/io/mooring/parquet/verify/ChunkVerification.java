package io.mooring.parquet.verify;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Verifies the pages of one column chunk, whose fragments several threads read. Headers are scanned
 * in order, by the thread that reads the fragment that was missing; checksums are computed by each
 * thread for its own fragments. Thread-safe.
 */
final class ChunkVerification {
  // Bounds the copies of fragments that wait for earlier ones, in the whole process.
  private static final long MOST_DETACHED_BYTES = 64L << 20;
  private static final AtomicLong DETACHED_BYTES = new AtomicLong();

  private final PageScanner scanner;
  private final DamageCollector.OfColumn report;
  private final Map<Long, ChunkFragment> waiting = new TreeMap<>();
  private boolean failed;

  ChunkVerification(PageScanner scanner, DamageCollector.OfColumn report) {
    this.scanner = scanner;
    this.report = report;
  }

  /** Whether every page has been scanned, or the rest need not be. */
  synchronized boolean isDone() {
    return failed || scanner.at() < 0;
  }

  /** Adds a fragment, whose bytes stay until it has been passed or is taken back. */
  void arrived(ChunkFragment fragment) {
    List<ChunkFragment> passed;
    synchronized (this) {
      waiting.put(fragment.range().offset(), fragment);
      passed = advance();
      notifyAll();
    }
    for (ChunkFragment other : passed) {
      if (other.isDetached()) {
        DETACHED_BYTES.addAndGet(-other.range().length());
        check(other);
      }
    }
  }

  private List<ChunkFragment> advance() {
    List<ChunkFragment> passed = new ArrayList<>();
    while ((failed && !waiting.isEmpty()) || waiting.containsKey(scanner.at())) {
      long next = failed ? waiting.keySet().iterator().next() : scanner.at();
      ChunkFragment fragment = waiting.remove(next);
      fragment.pass(failed ? List.of() : pages(fragment));
      passed.add(fragment);
    }
    return passed;
  }

  private List<PageChecksum> pages(ChunkFragment fragment) {
    try {
      return scanner.scan(fragment.bytes(), fragment.range());
    } catch (IOException e) {
      failed = true;
      report.header(
          Math.max(fragment.range().offset(), scanner.at()), String.valueOf(e.getMessage()));
      return List.of();
    }
  }

  /** Computes the checksums of a fragment that has been passed. */
  void check(ChunkFragment fragment) {
    for (PageChecksum page : fragment.damagedPages()) {
      report.checksum(page.range().offset());
    }
  }

  /** Whether a fragment has been passed and is not detached. */
  synchronized boolean isOwnAndPassed(ChunkFragment fragment) {
    return fragment.isPassed() && !fragment.isDetached();
  }

  /** Waits until a fragment has been passed; false when the time is over first. */
  synchronized boolean awaitPassed(ChunkFragment fragment, long millis)
      throws InterruptedException {
    long end = System.nanoTime() + millis * 1_000_000;
    long remaining = millis;
    while (!fragment.isPassed() && remaining > 0) {
      wait(remaining);
      remaining = (end - System.nanoTime()) / 1_000_000;
    }
    return fragment.isPassed();
  }

  /**
   * Detaches a fragment from its buffer, which can then go back: another thread checks a copy.
   *
   * @param anyway whether to ignore the bound of copies
   * @return false when it has been passed already, or there is no room for a copy
   */
  synchronized boolean detach(ChunkFragment fragment, boolean anyway) {
    long bytes = fragment.range().length();
    if (fragment.isPassed()) {
      return false;
    } else if (DETACHED_BYTES.addAndGet(bytes) > MOST_DETACHED_BYTES && !anyway) {
      DETACHED_BYTES.addAndGet(-bytes);
      return false;
    }
    boolean detached = false;
    try {
      fragment.detach(
          ByteBuffer.allocate((int) bytes).put(fragment.bytes().duplicate().rewind()).flip());
      detached = true;
    } finally {
      DETACHED_BYTES.addAndGet(detached ? 0 : -bytes);
    }
    return true;
  }

  /** Takes back a fragment whose buffer goes away; its bytes are not read afterwards. */
  synchronized void takeBack(ChunkFragment fragment) {
    if (!fragment.isDetached()) {
      waiting.remove(fragment.range().offset());
    }
  }

  /** Forgets detached fragments of a unit that is given up: no fragment will follow. */
  synchronized void giveUp() {
    for (ChunkFragment fragment : waiting.values()) {
      DETACHED_BYTES.addAndGet(fragment.isDetached() ? -fragment.range().length() : 0);
    }
    waiting.clear();
  }
}
