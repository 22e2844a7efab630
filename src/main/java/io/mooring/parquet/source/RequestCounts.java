package io.mooring.parquet.source;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts requests to object stores. Implementations are thread-safe. */
public interface RequestCounts {
  /** Counts nothing. */
  RequestCounts NONE =
      new RequestCounts() {
        @Override
        public void requested(long bytes, int underWay) {}

        @Override
        public void ended(long nanos) {}

        @Override
        public void needed(long bytes) {}
      };

  /**
   * Counts a request that begins.
   *
   * @param bytes requested; 0 for a file's status
   * @param underWay requests of this process in progress, this one included
   */
  void requested(long bytes, int underWay);

  /** Counts the time of a request that ends, whether it failed or not. */
  void ended(long nanos);

  /** Counts requested bytes that are needed; the others lie between them. */
  void needed(long bytes);

  /** A request to an object store, in progress until it is closed. */
  final class StoreRequest implements AutoCloseable {
    private static final AtomicInteger UNDER_WAY = new AtomicInteger();

    private final RequestCounts counts;
    private final long begin = System.nanoTime();

    private StoreRequest(RequestCounts counts) {
      this.counts = counts;
    }

    /** Begins a request for so many bytes; 0 for a file's status. */
    static StoreRequest begin(RequestCounts counts, long bytes) {
      counts.requested(bytes, UNDER_WAY.incrementAndGet());
      return new StoreRequest(counts);
    }

    @Override
    public void close() {
      UNDER_WAY.decrementAndGet();
      counts.ended(System.nanoTime() - begin);
    }
  }
}
