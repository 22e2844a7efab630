package io.mooring.benchmarks.store;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Counts of requests, since they were taken last. Thread-safe. */
public final class StoreTraffic {

  /** Metric: requests of any kind. */
  public static final String REQUESTS = "storeRequests";

  /** Metric: requests for bytes of objects. */
  public static final String READS = "storeReads";

  /** Metric: bytes of objects that were sent. */
  public static final String BYTES = "storeBytes";

  /** Metric: the most requests for bytes in progress at a time. */
  public static final String MOST_AT_ONCE = "storeReadsAtOnce";

  /** Metric: nanoseconds that requests for bytes were in progress, added up. */
  public static final String IN_PROGRESS_NANOS = "storeReadNanos";

  private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private long requests;
  private long reads;
  private long bytes;
  private int now;
  private int most;
  private long nanos;

  synchronized void request() {
    requests++;
  }

  synchronized void beginRead() {
    reads++;
    now++;
    most = Math.max(most, now);
  }

  synchronized void endRead(long sent, long elapsedNanos) {
    now--;
    notifyAll();
    bytes += sent;
    nanos += elapsedNanos;
  }

  /** Requests for bytes in progress. */
  public synchronized int readsNow() {
    return now;
  }

  /**
   * The counts by metric, which begin again at zero. Waits a moment for requests in progress: their
   * clients have the last byte a little before they end here.
   */
  public synchronized Map<String, Long> take() {
    long end = System.nanoTime() + PATIENCE_NANOS;
    try {
      for (long left = PATIENCE_NANOS; now > 0 && left > 0; left = end - System.nanoTime()) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Map<String, Long> counts = new LinkedHashMap<>();
    counts.put(REQUESTS, requests);
    counts.put(READS, reads);
    counts.put(BYTES, bytes);
    counts.put(MOST_AT_ONCE, (long) most);
    counts.put(IN_PROGRESS_NANOS, nanos);
    requests = 0;
    reads = 0;
    bytes = 0;
    most = now;
    nanos = 0;
    return counts;
  }
}
