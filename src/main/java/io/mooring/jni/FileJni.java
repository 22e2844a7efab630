package io.mooring.jni;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;

/** Reads of files into native memory. Thread-safe; needs {@link NativeLibrary#load()}. */
public final class FileJni {
  /** The encoding of java.io.File, so that Spark's reader and this one open the same file. */
  private static final Charset NAMES =
      Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));

  private FileJni() {}

  /**
   * Opens a file for reading; the caller closes the descriptor.
   *
   * @throws IOException when it cannot be opened; it names the file
   */
  public static int open(String path) throws IOException {
    try {
      return openNamed(path.getBytes(NAMES));
    } catch (IOException e) {
      throw new IOException("Cannot open " + path + ": " + e.getMessage(), e);
    }
  }

  private static native int openNamed(byte[] name) throws IOException;

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
