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
   * Brings a device up for this process, and says how threads wait for it. Without effect where
   * something else has brought it up in its own way.
   *
   * @param schedule one of the constants of that name
   */
  public static native void initDevice(int device, int schedule);

  /** Makes a device the current one of the calling thread, for CUDA and for the pool. */
  public static native void setDevice(int device);

  /** Free bytes of a device, then all of its bytes; makes a CUDA context there. */
  public static native long[] memoryInfo(int device);

  /**
   * Enqueues a copy; from or to pageable memory it may block. It is cut where registrations of the
   * pool meet: after a failure the part before the cut may be in flight.
   *
   * @param kind {@link #HOST_TO_DEVICE} or {@link #DEVICE_TO_HOST}
   */
  public static native void copyAsync(long to, long from, long bytes, int kind, long stream);

  /**
   * Enqueues several copies in order, each as {@link #copyAsync}; the arrays have equal lengths.
   */
  public static native void copyManyAsync(
      long[] to, long[] from, long[] bytes, int kind, long stream);

  public static native long createEvent();

  public static native void recordEvent(long event, long stream);

  public static native void syncEvent(long event);

  /** Whether {@link #syncEvent} would not wait. */
  public static native boolean hasPassed(long event);

  public static native void destroyEvent(long event);

  /** A stream that does not wait for the legacy default stream; it lives as long as the process. */
  public static native long createStream();

  public static native void syncStream(long stream);

  /**
   * The error that every call of this process's CUDA context on a device has by now, in CUDA's
   * words; null while the context works. Waits for what the calling thread has enqueued on it.
   */
  public static native @Nullable String contextProblem(int device);
}
