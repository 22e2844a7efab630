package io.mooring.parquet.read;

import io.mooring.parquet.source.FileSequence;

/** Learns when decodes on a device begin and end, and so of one that does not. Thread-safe. */
public interface DecodeMonitor {
  /** Lets every decode take as long as it does. */
  DecodeMonitor NONE = files -> () -> {};

  /** A decode of some files begins, which ends when what is returned is closed. */
  Decode begin(FileSequence files);

  /** A decode that goes on. */
  interface Decode extends AutoCloseable {
    @Override
    void close();
  }
}
