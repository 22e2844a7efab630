package io.mooring.gpu;

import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.CudaMemInfo;
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
   */
  long run(boolean withPool) throws IOException {
    // Before anything else touches libcudf, or it makes a pinned pool of its own.
    OptionalLong ownPool = withPool ? OptionalLong.of(0) : conf.get(MooringConf.DEFAULT_POOL_SIZE);
    ownPool.ifPresent(Rmm::configureDefaultCudfPinnedPoolSize);
    TransferJni.setDevice(device);
    Cuda.setDevice(device);
    if (!Cuda.isPtdsEnabled()) {
      throw new IOException(
          "this libcudf was not built with per-thread default streams, which Mooring needs");
    }
    long bytes = startDeviceMemory();
    if (withPool) {
      NativeLibrary.loadRegistration();
      RegistrationJni.register();
      // Legal only while everything that libcudf gets from the pool is really pinned.
      Cudf.setKernelPinnedCopyThreshold(conf.get(MooringConf.KERNEL_COPY_THRESHOLD));
    }
    return bytes;
  }

  private long startDeviceMemory() {
    if (Rmm.isInitialized()) {
      return Rmm.getPoolSize() > 0 ? Rmm.getPoolSize() : share(Cuda.memGetInfo());
    }
    long bytes = share(Cuda.memGetInfo());
    Rmm.initialize(RmmAllocationMode.CUDA_ASYNC, null, bytes);
    return bytes;
  }

  private long share(CudaMemInfo memory) {
    double share = conf.get(MooringConf.GPU_MEMORY_FRACTION) * memory.free;
    return (long) share / ALIGNMENT * ALIGNMENT;
  }
}
