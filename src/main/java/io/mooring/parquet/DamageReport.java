package io.mooring.parquet;

/** Is told of damage that was found in a column chunk. Implementations are thread-safe. */
interface DamageReport {
  /** A header, somewhere behind a file offset, cannot be right. */
  void header(long offset, String problem);

  /** Some pages that end behind a file offset have other bytes than their checksums say. */
  void checksums(long offset, int pages);
}
