package io.mooring.parquet.pipeline;

import io.mooring.parquet.source.FileSequence;

/** Learns when decodes on a device begin and end, and so of one that does not. Thread-safe. */
public interface DecodeWatch {
  /** Lets every decode take as long as it does. */
  DecodeWatch NONE = files -> () -> {};

  /** A decode of some files begins, which ends when what is returned is closed. */
  Decode begin(FileSequence files);

  /** A decode that goes on. */
  interface Decode extends AutoCloseable {
    @Override
    void close();
  }
}
