package io.mooring.parquet.source;

import java.util.concurrent.atomic.AtomicInteger;

/** A request to an object store, in progress until it is closed. */
final class StoreRequest implements AutoCloseable {
  private static final AtomicInteger UNDER_WAY = new AtomicInteger();

  private StoreRequest() {}

  /** Begins a request for so many bytes; 0 for a file's status. */
  static StoreRequest begin(RequestCounts counts, long bytes) {
    counts.requested(bytes, UNDER_WAY.incrementAndGet());
    return new StoreRequest();
  }

  @Override
  public void close() {
    UNDER_WAY.decrementAndGet();
  }
}
