package io.mooring.jni;

/**
 * Faults for tests of what becomes of a scan when the CUDA runtime fails. Off until a test asks for
 * one. After an error that a CUDA context does not survive every point has that error, as it is
 * with a real one. Thread-safe; needs {@link NativeLibrary#load()}. Errors are numbers of CUDA's
 * {@code cudaError_t}.
 */
public final class FaultJni {
  private static final long ALWAYS = Long.MAX_VALUE;

  private FaultJni() {}

  /** Where a fault can be; the order is that of {@code fault_point} in faults.hpp. */
  public enum Point {
    SET_DEVICE,
    CREATE_EVENT,
    RECORD_EVENT,
    SYNC_EVENT,
    COPY_TO_DEVICE,
    COPY_TO_HOST,
    SYNC_STREAM,
    ASK_CONTEXT,
    HOST_REGISTER,
    /** Before libcudf decodes a unit; want of memory is thrown as libcudf does. */
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

  private static native void fail(int point, long nth, long times, int error);

  /** Nothing fails any more. */
  public static native void clear();

  /**
   * Called before libcudf decodes, so that a test can have that fail.
   *
   * @throws CudaFailure or an {@link OutOfMemoryError}, only where a test has asked for it
   */
  public static native void decoding();
}
