package io.mooring.jni;

import org.jspecify.annotations.Nullable;

/**
 * Copies between host and device, streams and events of the CUDA runtime. Handles are CUDA's own.
 * Thread-safe; needs {@link NativeLibrary#load()}. Every failure is a {@link CudaFailure}.
 */
public final class TransferJni {
  /** cudaStreamPerThread: the default stream that each thread has of its own. */
  public static final long PER_THREAD_STREAM = 2;

  /** cudaMemcpyHostToDevice. */
  public static final int HOST_TO_DEVICE = 1;

  /** cudaMemcpyDeviceToHost. */
  public static final int DEVICE_TO_HOST = 2;

  /** cudaDeviceScheduleSpin. */
  public static final int SCHEDULE_SPIN = 1;

  /** cudaDeviceScheduleYield. */
  public static final int SCHEDULE_YIELD = 2;

  /** cudaDeviceScheduleBlockingSync. */
  public static final int SCHEDULE_BLOCKING_SYNC = 4;

  private TransferJni() {}

  /**
   * Initializes a device for this process, and sets how threads wait for it. Does nothing where
   * other code has initialized the device with its own setting. Ignores errors of CUDA.
   *
   * @param schedule one of the {@code SCHEDULE_} constants
   */
  public static native void initDevice(int device, int schedule);

  /** Makes a device the current one of the calling thread, for CUDA and for the pool. */
  public static native void setDevice(int device);

  /** Free bytes of a device, then all of its bytes; makes a CUDA context there. */
  public static native long[] memoryInfo(int device);

  /**
   * Enqueues a copy; from or to pageable memory it may block. A copy across registrations of the
   * pool is split at their boundaries: after a failure, its first parts may be in flight.
   *
   * @param kind {@link #HOST_TO_DEVICE} or {@link #DEVICE_TO_HOST}
   */
  public static native void copyAsync(long to, long from, long bytes, int kind, long stream);

  /**
   * Enqueues several copies in order, each as {@link #copyAsync}; the arrays have equal lengths.
   */
  public static native void copyManyAsync(
      long[] to, long[] from, long[] bytes, int kind, long stream);

  /** An event of the current device, on which nobody waits. */
  public static native long takeEvent();

  public static native void recordEvent(long event, long stream);

  public static native void syncEvent(long event);

  /** Whether {@link #syncEvent} would not wait. */
  public static native boolean hasPassed(long event);

  /**
   * Gives an event back for a later {@link #takeEvent} on its device. Its copy must have ended.
   * Called on any thread.
   */
  public static native void recycleEvent(long event);

  /** A stream that does not wait for the legacy default stream; it lives as long as the process. */
  public static native long createStream();

  public static native void syncStream(long stream);

  /**
   * The error that every further call in this process's CUDA context on a device returns, in CUDA's
   * words; null while the context works. Waits for the calling thread's per-thread stream there.
   */
  public static native @Nullable String contextProblem(int device);
}
