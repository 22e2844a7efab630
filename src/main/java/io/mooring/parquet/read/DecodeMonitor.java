package io.mooring.parquet.read;

import io.mooring.parquet.source.FileSequence;

/** Observes the decodes on a device, so that one that hangs is noticed. Thread-safe. */
public interface DecodeMonitor {
  /** Observes nothing. */
  DecodeMonitor NONE = files -> () -> {};

  /** Begins a decode of some files, which ends when the result is closed. */
  Decode begin(FileSequence files);

  /** A decode in progress. */
  interface Decode extends AutoCloseable {
    @Override
    void close();
  }
}
