package io.mooring.gpu;

import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.Cudf;
import ai.rapids.cudf.Rmm;
import ai.rapids.cudf.RmmAllocationMode;
import io.mooring.conf.MooringConf;
import io.mooring.jni.NativeLibrary;
import io.mooring.jni.RegistrationJni;
import io.mooring.jni.TransferJni;
import java.io.IOException;
import java.util.OptionalLong;

/** Brings libcudf up on one device, with the pinned pool as its pinned memory. */
final class DeviceStart {
  private static final long ALIGNMENT = 256;
  private static final int MOST_TRIES = 5;

  private final MooringConf conf;
  private final int device;

  DeviceStart(MooringConf conf, int device) {
    this.conf = conf;
    this.device = device;
  }

  /**
   * Takes seconds: libcudf is unpacked from its jar.
   *
   * @param withPool the pinned pool has been started on this device
   * @return device bytes that scans may take
   * @throws UnusableGpuException when this libcudf does not fit
   */
  long run(boolean withPool) throws IOException, UnusableGpuException {
    // Before anything else touches libcudf, or it makes a pinned pool of its own.
    OptionalLong ownPool = withPool ? OptionalLong.of(0) : conf.get(MooringConf.DEFAULT_POOL_SIZE);
    ownPool.ifPresent(Rmm::configureDefaultCudfPinnedPoolSize);
    TransferJni.setDevice(device);
    Cuda.setDevice(device);
    if (!Cuda.isPtdsEnabled()) {
      throw new UnusableGpuException(
          "this libcudf was built without per-thread default streams, which Mooring needs");
    }
    long bytes = startDeviceMemory();
    if (withPool) {
      usePoolInLibcudf();
    }
    return bytes;
  }

  private long startDeviceMemory() {
    if (Rmm.isInitialized()) {
      // Another plugin has set it up: its pool, where it has one, is what there is to share.
      return Rmm.getPoolSize() > 0 ? Rmm.getPoolSize() : share();
    }
    for (int tries = 1; ; tries++) {
      long bytes = share();
      try {
        Rmm.initialize(RmmAllocationMode.CUDA_ASYNC, null, bytes);
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
    double share = conf.get(MooringConf.GPU_MEMORY_FRACTION) * Cuda.memGetInfo().free;
    return (long) share / ALIGNMENT * ALIGNMENT;
  }

  private void usePoolInLibcudf() throws IOException {
    NativeLibrary.loadRegistration();
    RegistrationJni.register();
    // Kernels may read what libcudf gets as pinned only while it really is: our resource sees to
    // it.
    Cudf.setKernelPinnedCopyThreshold(conf.get(MooringConf.KERNEL_COPY_THRESHOLD));
  }
}
