package io.mooring.parquet.verify;

/**
 * Is told of pages of a column chunk that must not be decoded on the GPU. Implementations are
 * thread-safe.
 */
interface DamageReport {
  /** The header at a file offset, or what comes behind it, cannot be right. */
  void header(long offset, String problem);

  /** The page whose body begins at a file offset has other bytes than its checksum says. */
  void checksum(long offset);

  /** The page whose body begins at a file offset is good, but compressed in a way of its own. */
  void compression(long offset, String problem);
}
