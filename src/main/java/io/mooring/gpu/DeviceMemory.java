package io.mooring.gpu;

import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.Rmm;
import ai.rapids.cudf.RmmAllocationMode;
import ai.rapids.cudf.RmmCudaAsyncMemoryResource;
import ai.rapids.cudf.RmmDeviceMemoryResource;
import ai.rapids.cudf.RmmLimitingResourceAdaptor;
import ai.rapids.cudf.RmmTrackingResourceAdaptor;
import java.util.function.LongConsumer;

/** The memory that libcudf takes on each device: an async pool of a share of what is free. */
final class DeviceMemory {
  private static final long ALIGNMENT = 256;
  // The same wrapping that cudf Java gives the pool of its own device.
  private static final long LIMIT_ALIGNMENT = 512;
  private static final int MOST_TRIES = 5;

  private final double fraction;

  /** Takes {@code fraction} of the free memory of each device. */
  DeviceMemory(double fraction) {
    this.fraction = fraction;
  }

  /** Starts cudf Java on the calling thread's device. Returns the device bytes there are. */
  long startFirst() {
    if (Rmm.isInitialized()) {
      // Another plugin has set it up: its pool, where it has one, is what there is to share.
      return Rmm.getPoolSize() > 0 ? Rmm.getPoolSize() : share();
    }
    return started(bytes -> Rmm.initialize(RmmAllocationMode.CUDA_ASYNC, null, bytes));
  }

  /**
   * Gives libcudf memory on the calling thread's device too. cudf Java, which was started on
   * another, must not hold threads on that one.
   */
  long startFurther() {
    return started(DeviceMemory::addPool);
  }

  private static void addPool(long bytes) {
    RmmDeviceMemoryResource pool =
        new RmmLimitingResourceAdaptor<>(
            new RmmCudaAsyncMemoryResource(bytes, bytes), bytes, LIMIT_ALIGNMENT);
    RmmDeviceMemoryResource tracked = new RmmTrackingResourceAdaptor<>(pool, ALIGNMENT);
    boolean set = false;
    try {
      Rmm.setCurrentDeviceResource(tracked, null, true);
      set = true;
    } finally {
      if (!set) {
        tracked.close();
      }
    }
  }

  private long started(LongConsumer start) {
    for (int tries = 1; ; tries++) {
      long bytes = share();
      try {
        start.accept(bytes);
        return bytes;
      } catch (OutOfMemoryError e) {
        // Another process on this GPU took it since we looked.
        if (tries == MOST_TRIES) {
          throw e;
        }
      }
    }
  }

  private long share() {
    double share = fraction * Cuda.memGetInfo().free;
    return (long) share / ALIGNMENT * ALIGNMENT;
  }
}
