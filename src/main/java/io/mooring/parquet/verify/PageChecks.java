package io.mooring.parquet.verify;

/** The checks of pages before they are decoded. */
public enum PageChecks {
  /** Headers, and every byte of pages that have a checksum. */
  CHECKSUMS,
  /** Headers only. */
  STRUCTURE,
  NONE
}
