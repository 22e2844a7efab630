package io.mooring.gpu;

import ai.rapids.cudf.Rmm;
import ai.rapids.cudf.RmmAllocationMode;
import ai.rapids.cudf.RmmCudaAsyncMemoryResource;
import ai.rapids.cudf.RmmDeviceMemoryResource;
import ai.rapids.cudf.RmmLimitingResourceAdaptor;
import ai.rapids.cudf.RmmTrackingResourceAdaptor;
import java.util.function.LongConsumer;

/** The memory that libcudf takes on each device: an async pool of this process's share. */
final class DeviceMemory {
  private static final long ALIGNMENT = 256;
  // The same wrapping that cudf Java gives the pool of its own device.
  private static final long LIMIT_ALIGNMENT = 512;
  private static final int MOST_TRIES = 5;

  private final double fraction;

  /** Takes {@code fraction} of the memory of each device, if that is free. */
  DeviceMemory(double fraction) {
    this.fraction = fraction;
  }

  /**
   * Starts cudf Java on the calling thread's device. Returns the device bytes there are.
   *
   * @param device its number
   * @throws UnusableGpuException when other processes have left too little
   */
  long startFirst(int device) throws UnusableGpuException {
    if (Rmm.isInitialized()) {
      // Another plugin has set it up: its pool, where it has one, is what there is to share.
      long pool = Rmm.getPoolSize();
      return pool > 0 ? pool : DeviceShare.ofNow(device, fraction).bytes();
    }
    return started(device, bytes -> Rmm.initialize(RmmAllocationMode.CUDA_ASYNC, null, bytes));
  }

  /**
   * Gives libcudf memory on the calling thread's device, in addition to the first one. The caller
   * must have called {@link Rmm#cleanupDefaultCudaDevice}, or cudf Java would move threads back to
   * the first device.
   *
   * @param device its CUDA ordinal
   * @return the device bytes that scans may take
   * @throws UnusableGpuException when other processes have left too little
   */
  long startFurther(int device) throws UnusableGpuException {
    return started(device, DeviceMemory::addPool);
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

  private long started(int device, LongConsumer start) throws UnusableGpuException {
    for (int tries = 1; ; tries++) {
      DeviceShare share = DeviceShare.ofNow(device, fraction);
      if (!share.suffices()) {
        throw share.refusal();
      }
      try {
        start.accept(share.bytes());
        share.warnIfCut();
        return share.bytes();
      } catch (OutOfMemoryError e) {
        // Another process on this GPU took it since we looked.
        if (tries == MOST_TRIES) {
          throw e;
        }
      }
    }
  }
}
