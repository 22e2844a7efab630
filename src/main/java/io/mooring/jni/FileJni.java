package io.mooring.jni;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads of files into native memory. Thread-safe; needs {@link NativeLibrary#load()}. */
public final class FileJni {
  private FileJni() {}

  /** Opens a file for reading; the caller closes the descriptor. */
  public static native int open(String path) throws IOException;

  public static native void close(int descriptor);

  /** Reads up to {@code bytes} bytes; fewer only at the end of the file. */
  public static native long read(int descriptor, long offset, long address, long bytes)
      throws IOException;

  /**
   * Native memory as a buffer, for readers that know no addresses. It must not be used once the
   * memory has been given back.
   *
   * @param bytes at most {@link Integer#MAX_VALUE}
   */
  public static native ByteBuffer view(long address, long bytes);
}
