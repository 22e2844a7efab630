package io.mooring.parquet.verify;

/** Is told of damage that was found in a column chunk. Implementations are thread-safe. */
interface DamageReport {
  /** The header at a file offset, or what comes behind it, cannot be right. */
  void header(long offset, String problem);

  /** The page whose body begins at a file offset has other bytes than its checksum says. */
  void checksum(long offset);
}
