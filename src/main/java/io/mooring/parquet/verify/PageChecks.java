package io.mooring.parquet.verify;

/** What is looked at of pages before they are decoded. */
public enum PageChecks {
  /** Headers, and of pages that have a checksum every byte. */
  CHECKSUMS,
  /** Headers. */
  STRUCTURE,
  NONE
}
