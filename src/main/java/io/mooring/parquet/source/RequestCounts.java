package io.mooring.parquet.source;

/** Counts requests to object stores. Implementations are thread-safe. */
public interface RequestCounts {
  /** Counts nothing. */
  RequestCounts NONE =
      new RequestCounts() {
        @Override
        public void requested(long bytes, int underWay) {}

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

  /** Counts requested bytes that are needed; the others lie between them. */
  void needed(long bytes);
}
