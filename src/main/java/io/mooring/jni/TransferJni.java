package io.mooring.jni;

import org.jspecify.annotations.Nullable;

/**
 * Copies between host and device, streams and events of the CUDA runtime. Handles are CUDA's own;
 * stream 2 is the per-thread default stream. Every failure is a {@link CudaFailure}.
 */
public final class TransferJni {
  private TransferJni() {}

  /**
   * Brings a device up for this process, and says how threads wait for it. Without effect where
   * something else has brought it up in its own way.
   *
   * @param schedule of cudaDeviceSchedule*: 1 spin, 2 yield, 4 blocking sync
   */
  public static native void initDevice(int device, int schedule);

  /** Makes a device the current one of the calling thread, for CUDA and for the pool. */
  public static native void setDevice(int device);

  /**
   * Enqueues a copy; from or to pageable memory it may block. Where registrations of the pool meet
   * it is cut: after a failure what lies before the cut may be in flight.
   *
   * @param kind of cudaMemcpyKind: 1 host to device, 2 device to host
   */
  public static native void copyAsync(long to, long from, long bytes, int kind, long stream);

  /** Enqueues several copies in order, each as {@link #copyAsync}; the arrays are of one length. */
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
