package io.mooring.parquet.source;

/** Who is told of requests to object stores. Implementations are thread-safe. */
public interface RequestCounts {
  /** For whom nobody counts. */
  RequestCounts NONE =
      new RequestCounts() {
        @Override
        public void requested(long bytes, int underWay) {}

        @Override
        public void needed(long bytes) {}
      };

  /**
   * A request begins.
   *
   * @param bytes that are asked for; 0 where only the file's state is
   * @param underWay requests of this process that have begun and not ended, this one among them
   */
  void requested(long bytes, int underWay);

  /** So many of the bytes asked for are needed; the others lay between them. */
  void needed(long bytes);
}
