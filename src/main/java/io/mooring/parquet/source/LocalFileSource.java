package io.mooring.parquet.source;

import io.mooring.jni.FileJni;
import java.io.EOFException;
import java.io.IOException;

/** A local file, read by pread straight into the caller's memory. */
final class LocalFileSource implements FileSource {
  // Bytes of a slice are still in the core's cache when their pages are verified.
  private static final long SLICE_BYTES = 2L << 20;

  private final String path;
  private final int descriptor;

  LocalFileSource(String path) throws IOException {
    this.path = path;
    this.descriptor = FileJni.open(path);
  }

  @Override
  public void readFully(long offset, long address, long bytes) throws IOException {
    long read = FileJni.read(descriptor, offset, address, bytes);
    if (read != bytes) {
      throw new EOFException(path + " ends " + (bytes - read) + " bytes before its footer says");
    }
  }

  @Override
  public boolean byRequests() {
    return false;
  }

  @Override
  public long sliceBytes() {
    return SLICE_BYTES;
  }

  @Override
  public long pieceBytes() {
    return Long.MAX_VALUE;
  }

  @Override
  public void close() {
    FileJni.close(descriptor);
  }
}
