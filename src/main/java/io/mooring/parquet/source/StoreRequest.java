package io.mooring.parquet.source;

import java.util.concurrent.atomic.AtomicInteger;

/** A request to an object store that is under way until it is closed. */
final class StoreRequest implements AutoCloseable {
  private static final AtomicInteger UNDER_WAY = new AtomicInteger();

  private StoreRequest() {}

  /** Begins one for so many bytes; 0 where only the file's state is asked for. */
  static StoreRequest begin(RequestCounts counts, long bytes) {
    counts.requested(bytes, UNDER_WAY.incrementAndGet());
    return new StoreRequest();
  }

  @Override
  public void close() {
    UNDER_WAY.decrementAndGet();
  }
}
