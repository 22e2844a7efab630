package io.mooring.jni;

import java.io.IOException;

/** Positional reads of local files into native memory. Thread-safe. */
public final class FileJni {
  private FileJni() {}

  /** Opens a file for reading; the caller closes the descriptor. */
  public static native int open(String path) throws IOException;

  public static native void close(int descriptor);

  /** Reads up to {@code bytes} bytes; fewer only at the end of the file. */
  public static native long read(int descriptor, long offset, long address, long bytes)
      throws IOException;
}
