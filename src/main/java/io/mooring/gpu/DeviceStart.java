package io.mooring.gpu;

import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.Cudf;
import ai.rapids.cudf.PinnedMemoryPool;
import ai.rapids.cudf.Rmm;
import ai.rapids.cudf.RmmDeviceMemoryResource;
import io.mooring.conf.GpuEntries;
import io.mooring.conf.MooringConf;
import io.mooring.conf.PoolEntries;
import io.mooring.jni.NativeLibrary;
import io.mooring.jni.PoolJni;
import io.mooring.jni.RegistrationJni;
import io.mooring.jni.TransferJni;
import io.mooring.memory.PinnedAllocator;
import io.mooring.memory.PinnedPool;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings libcudf up on the devices of a process, with the pinned pool as its pinned memory. */
final class DeviceStart {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceStart.class);

  private final MooringConf conf;
  private final DeviceMemory memory;

  DeviceStart(MooringConf conf) {
    this.conf = conf;
    this.memory = new DeviceMemory(conf.get(GpuEntries.MEMORY_FRACTION));
  }

  /**
   * Takes seconds: libcudf is unpacked from its jar. A device that does not come up behind the
   * first is left out, with a WARN.
   *
   * @param devices CUDA's numbers
   * @param withPool the pinned pool has been started
   * @throws UnusableGpuException when this libcudf does not fit
   */
  List<StartedDevice> run(List<Integer> devices, boolean withPool)
      throws IOException, UnusableGpuException {
    // Before anything else touches libcudf, or it makes a pinned pool of its own.
    OptionalLong ownPool = withPool ? OptionalLong.of(0) : conf.get(GpuEntries.DEFAULT_POOL_SIZE);
    ownPool.ifPresent(Rmm::configureDefaultCudfPinnedPoolSize);
    // cudf Java of another plugin, which relies on its one device.
    boolean taken = Rmm.isInitialized();
    StartedDevice first = startFirst(devices.get(0));
    List<StartedDevice> started = new ArrayList<>(List.of(first));
    if (devices.size() > 1 && !taken) {
      started.addAll(startFurther(first.number(), devices.subList(1, devices.size())));
    }
    if (withPool) {
      usePoolInLibcudf(started);
    }
    return started;
  }

  private StartedDevice startFirst(int device) throws UnusableGpuException {
    CurrentDevice.use(device);
    CudaCompatibility.check(Cuda.getRuntimeVersion());
    if (!Cuda.isPtdsEnabled()) {
      throw new UnusableGpuException(
          "this libcudf was built without per-thread default streams, which Mooring needs");
    }
    return started(device, memory.startFirst());
  }

  private List<StartedDevice> startFurther(int first, List<Integer> devices) {
    RmmDeviceMemoryResource ofFirst = Rmm.getCurrentDeviceResource();
    // Or every call of cudf Java would put its thread on the device of Rmm.initialize.
    Rmm.cleanupDefaultCudaDevice();
    List<StartedDevice> started = new ArrayList<>();
    for (int device : devices) {
      try {
        CurrentDevice.use(device);
        started.add(started(device, memory.startFurther()));
      } catch (RuntimeException | OutOfMemoryError e) {
        warnOf(device, e);
      }
    }
    // The figures of Rmm are those of the resource that was set last.
    CurrentDevice.use(first);
    Rmm.setCurrentDeviceResource(ofFirst, null, true);
    return started;
  }

  static void warnOf(int device, Throwable cause) {
    LOG.warn(
        "GPU {} could not be started and is left out; Mooring goes on with the others. Name those"
            + " to use in {}",
        device,
        GpuEntries.DEVICES.key(),
        cause);
  }

  private static StartedDevice started(int device, long bytes) {
    return new StartedDevice(device, DeviceName.of(device), bytes, TransferJni.createStream());
  }

  private void usePoolInLibcudf(List<StartedDevice> devices) throws IOException {
    PinnedAllocator replacement = PinnedPool.replacement();
    if (replacement != null) {
      replacement.start(PinnedPool.mostBytes(), devices.get(0).number());
    } else if (PinnedMemoryPool.isInitialized()) {
      // When it is shut down it would put back what libcudf had before, whatever was set since.
      LOG.warn(
          "Another plugin has started ai.rapids.cudf.PinnedMemoryPool: libcudf keeps that as its"
              + " pinned memory, and Mooring's pool serves Mooring's own buffers only. Size it with"
              + " {}, or leave the other pool out",
          PoolEntries.SIZE.key());
      return;
    } else {
      NativeLibrary.loadRegistration();
      RegistrationJni.register();
    }
    long wanted = conf.get(GpuEntries.KERNEL_COPY_THRESHOLD);
    // Kernels may read what libcudf gets as pinned only while it really is: our resource sees to
    // it. They read it by its host address, which not every system has on the device too.
    boolean able =
        devices.stream().allMatch(device -> PoolJni.readsRegisteredMemory(device.number()));
    Cudf.setKernelPinnedCopyThreshold(able ? wanted : 0);
  }
}
