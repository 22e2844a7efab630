package io.mooring.parquet.unit;

import io.mooring.parquet.source.RequestCounts;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ObjLongConsumer;

/** Counters of one task's scan. Thread-safe. */
public final class ScanCounters implements RequestCounts {
  /**
   * The counters. Times are in nanoseconds, summed over threads. {@link #REQUESTS_AT_ONCE} is a
   * maximum, {@link #FIRST_BYTES} is taken once, all others are sums.
   */
  public enum Counter {
    BYTES_READ,
    CACHED_BYTES,
    CACHE_HITS,
    CACHE_MISSES,
    REQUESTS,
    REQUESTS_AT_ONCE,
    REQUEST_TIME,
    BYTES_REQUESTED,
    BYTES_NEEDED,
    PINNED_BYTES,
    PAGEABLE_BYTES,
    FALLBACKS,
    FIRST_BYTES,
    READ_TIME,
    VERIFY_TIME,
    HOST_MEMORY_WAIT,
    DEVICE_MEMORY_WAIT,
    UPLOAD_WAIT,
    TURN_WAIT,
    DECODE_TIME,
    DOWNLOAD_BYTES,
    DOWNLOAD_TIME,
    CHUNKS_DECODED,
    ROW_GROUPS_READ,
    FILES_PRUNED,
    ROW_GROUPS_PRUNED,
    ROW_GROUPS_SKIPPED,
    ROWS_PRUNED,
    PAGE_INDEX_BYTES,
    PAGES_SKIPPED,
    BYTES_SKIPPED,
    GPU_FILES,
    CPU_FILES
  }

  private static volatile ObjLongConsumer<Counter> observer = (counter, amount) -> {};

  private final LongAdder[] values = new LongAdder[Counter.values().length];
  private final LongAccumulator requestsAtOnce = new LongAccumulator(Math::max, 0);
  private final long begin = System.nanoTime();
  private final AtomicLong firstBytes = new AtomicLong();

  /** Begins to count, when the task begins. */
  public ScanCounters() {
    Arrays.setAll(values, i -> new LongAdder());
  }

  /** Reports every later addition in this process to {@code next}, on the thread that adds. */
  public static void observe(ObjLongConsumer<Counter> next) {
    observer = next;
  }

  public void add(Counter counter, long amount) {
    values[counter.ordinal()].add(amount);
    observer.accept(counter, amount);
  }

  public long value(Counter counter) {
    return switch (counter) {
      case REQUESTS_AT_ONCE -> requestsAtOnce.get();
      case FIRST_BYTES -> firstBytes.get();
      default -> values[counter.ordinal()].sum();
    };
  }

  @Override
  public void requested(long bytes, int underWay) {
    add(Counter.REQUESTS, 1);
    add(Counter.BYTES_REQUESTED, bytes);
    requestsAtOnce.accumulate(underWay);
    observer.accept(Counter.REQUESTS_AT_ONCE, underWay);
  }

  @Override
  public void ended(long nanos) {
    add(Counter.REQUEST_TIME, nanos);
  }

  @Override
  public void needed(long bytes) {
    add(Counter.BYTES_NEEDED, bytes);
  }

  /** Counts bytes read from a file, into pinned or pageable memory. */
  public void read(long bytes, boolean pinned, long readNanos) {
    add(Counter.BYTES_READ, bytes);
    add(pinned ? Counter.PINNED_BYTES : Counter.PAGEABLE_BYTES, bytes);
    add(Counter.READ_TIME, readNanos);
    if (firstBytes.get() == 0) {
      long waited = System.nanoTime() - begin;
      if (firstBytes.compareAndSet(0, waited)) {
        observer.accept(Counter.FIRST_BYTES, waited);
      }
    }
  }

  /** Counts a host buffer that came after a wait of so many nanoseconds. */
  public void buffered(boolean pinned, long waitNanos) {
    if (!pinned) {
      add(Counter.FALLBACKS, 1);
    }
    add(Counter.HOST_MEMORY_WAIT, waitNanos);
  }
}
