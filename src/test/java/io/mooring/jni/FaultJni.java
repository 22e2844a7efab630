package io.mooring.jni;

import ai.rapids.cudf.HybridScanReader;
import ai.rapids.cudf.ParquetChunkedReader;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Faults for tests of what becomes of a scan when the CUDA runtime fails. Off until a test asks for
 * one. After an error that a CUDA context does not survive every point has that error, as it is
 * with a real one. Thread-safe. Errors are numbers of CUDA's {@code cudaError_t}.
 *
 * <p>A library of its own, which only tests load, puts itself in front of native methods of the
 * product and of cudf's: what ships knows nothing of it.
 */
public final class FaultJni {
  private static final long ALWAYS = Long.MAX_VALUE;
  private static final String LIBRARY = "/amd64/Linux/libmooring_faults.so";

  static {
    if (!NativeLibrary.load()) {
      throw new IllegalStateException(NativeLibrary.problem());
    }
    System.load(file().toString());
    watchDecodes(HybridScanReader.class, ParquetChunkedReader.class);
  }

  private FaultJni() {}

  /** Where a fault can be; the order is that of {@code fault_point} in faults.hpp. */
  public enum Point {
    SET_DEVICE,
    TAKE_EVENT,
    RECORD_EVENT,
    SYNC_EVENT,
    COPY_TO_DEVICE,
    COPY_TO_HOST,
    SYNC_STREAM,
    ASK_CONTEXT,
    HOST_REGISTER,
    /** Before libcudf decodes a unit or a chunk; want of memory is thrown as libcudf does. */
    DECODE
  }

  /** The {@code nth} call from here on fails, counted from 1. */
  public static void failNth(Point point, long nth, int error) {
    fail(point.ordinal(), nth, 1, error);
  }

  /** The {@code nth} call from here on fails, and all that follow. */
  public static void failFrom(Point point, long nth, int error) {
    fail(point.ordinal(), nth, ALWAYS, error);
  }

  private static Path file() {
    URL built = Objects.requireNonNull(FaultJni.class.getResource(LIBRARY), LIBRARY);
    try {
      return Path.of(built.toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static native void fail(int point, long nth, long times, int error);

  private static native void watchDecodes(Class<?> hybrid, Class<?> chunked);

  /** How many calls have failed because of a test since the last {@link #clear}. */
  public static native long fired();

  /** Nothing fails any more. */
  public static native void clear();

  /**
   * What stands in front of libcudf's decoding.
   *
   * @throws CudaFailure or an {@link OutOfMemoryError}, only where a test has asked for it
   */
  public static native void decoding();
}
