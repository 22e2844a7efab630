package io.mooring.gpu;

import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.Cudf;
import ai.rapids.cudf.PinnedMemoryPool;
import ai.rapids.cudf.Rmm;
import ai.rapids.cudf.RmmDeviceMemoryResource;
import io.mooring.conf.ExecutorMemory;
import io.mooring.conf.ExecutorMemory.SparkShare;
import io.mooring.conf.GpuEntries;
import io.mooring.conf.MooringConf;
import io.mooring.conf.PoolEntries;
import io.mooring.jni.CudaFailure;
import io.mooring.jni.NativeLibrary;
import io.mooring.jni.PoolJni;
import io.mooring.jni.RegistrationJni;
import io.mooring.jni.TransferJni;
import io.mooring.memory.PinnedAllocator;
import io.mooring.memory.PinnedPool;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings up the GPUs of a process: checks, devices, the pinned pool, and libcudf on top of it. */
final class GpuStart {
  private static final Logger LOG = LoggerFactory.getLogger(GpuStart.class);

  /**
   * The devices and the pool that came up.
   *
   * @param devices at least one
   * @param pool the pool, which may still be filling
   */
  record Result(List<StartedDevice> devices, PoolStart pool) {}

  /** How CUDA waits, for the values of {@link GpuEntries#WAITING}. */
  private static final Map<String, Integer> SCHEDULES =
      Map.of(
          "spin", TransferJni.SCHEDULE_SPIN,
          "yield", TransferJni.SCHEDULE_YIELD,
          "block", TransferJni.SCHEDULE_BLOCKING_SYNC);

  private final MooringConf conf;
  private final List<Integer> assigned;
  private final SparkShare spark;

  /**
   * Prepares a start.
   *
   * @param assigned the devices that Spark has given to this executor
   * @param spark what Spark's settings say of this process's memory
   */
  GpuStart(MooringConf conf, List<Integer> assigned, SparkShare spark) {
    this.conf = conf;
    this.assigned = assigned;
    this.spark = spark;
  }

  /**
   * Takes seconds, and returns before the pool is full.
   *
   * @throws UnusableGpuException when this process has to do without a GPU
   * @throws IOException when a native library cannot be unpacked
   */
  Result run() throws UnusableGpuException, IOException {
    // Before devices are counted: a class path can be tried on a machine without a GPU.
    CudfVersion.check(GpuStart.class.getClassLoader());
    int count = countDevices();
    List<Integer> chosen = DeviceSelection.of(conf.get(GpuEntries.DEVICES), assigned, count);
    List<Integer> devices = withRoom(initialize(chosen));
    PoolStart pool =
        new PoolStart(conf, ExecutorMemory.ofThisProcess(spark, executorsOfHost(count)));
    // The pool fills while libcudf is being unpacked.
    pool.start(devices);
    return new Result(startCudf(devices, pool.isOn()), pool);
  }

  /**
   * The number of executors on this host: the GPUs that this process sees by those that Spark has
   * assigned to it; 1 if Spark has assigned none.
   */
  private int executorsOfHost(int count) {
    return assigned.isEmpty() ? 1 : Math.max(1, count / assigned.size());
  }

  private static int countDevices() throws UnusableGpuException {
    if (!NativeLibrary.load()) {
      throw new UnusableGpuException(String.valueOf(NativeLibrary.problem()));
    }
    int count = PoolJni.deviceCount();
    Optional<String> oldDriver = count == 0 ? CudaCompatibility.oldDriver() : Optional.empty();
    if (oldDriver.isPresent()) {
      throw new UnusableGpuException(oldDriver.get());
    } else if (count == 0) {
      throw new UnusableGpuException(
          "there is no usable GPU (" + CudaCompatibility.whyNone() + ")", true);
    }
    return count;
  }

  /** The chosen devices that CUDA can use: another process may use one of them exclusively. */
  private List<Integer> initialize(List<Integer> chosen) {
    List<Integer> up = new ArrayList<>();
    CudaFailure failure = null;
    int schedule = Objects.requireNonNull(SCHEDULES.get(conf.get(GpuEntries.WAITING)));
    for (int device : chosen) {
      try {
        // Before anything else brings the device up in its own way.
        TransferJni.initDevice(device, schedule);
        TransferJni.setDevice(device);
        up.add(device);
      } catch (CudaFailure e) {
        failure = e;
        if (chosen.size() > 1) {
          warnOf(device, e);
        }
      }
    }
    if (up.isEmpty() && failure != null) {
      throw failure;
    }
    return up;
  }

  /**
   * The devices with enough memory left. Asked before the pool pins memory and libcudf is unpacked,
   * for an executor that would use neither.
   *
   * @throws UnusableGpuException when there is none
   */
  private List<Integer> withRoom(List<Integer> devices) throws UnusableGpuException {
    List<Integer> roomy = new ArrayList<>();
    UnusableGpuException refusal = null;
    for (int device : devices) {
      DeviceShare share = DeviceShare.ofNow(device, conf.get(GpuEntries.MEMORY_FRACTION));
      // Where it is another plugin of this process that has the memory, scans share that.
      if (share.suffices() || Rmm.isInitialized()) {
        roomy.add(device);
        continue;
      }
      refusal = share.refusal();
      if (devices.size() > 1) {
        warnOf(device, refusal);
      }
    }
    if (roomy.isEmpty() && refusal != null) {
      throw refusal;
    }
    return roomy;
  }

  /**
   * Brings libcudf up. Takes seconds: it is unpacked from its jar. A device that does not come up
   * after the first is left out, with a WARN.
   *
   * @param devices CUDA's numbers
   * @param withPool the pinned pool has been started
   * @throws UnusableGpuException when this libcudf does not fit
   */
  private List<StartedDevice> startCudf(List<Integer> devices, boolean withPool)
      throws IOException, UnusableGpuException {
    // Before anything else touches libcudf, or it makes a pinned pool of its own.
    OptionalLong cudfPool = withPool ? OptionalLong.of(0) : conf.get(GpuEntries.DEFAULT_POOL_SIZE);
    cudfPool.ifPresent(Rmm::configureDefaultCudfPinnedPoolSize);
    // Another plugin has started cudf Java, and relies on its one device.
    boolean taken = Rmm.isInitialized();
    // Not before: its class does not load where there is no cudf.
    DeviceMemory memory = new DeviceMemory(conf.get(GpuEntries.MEMORY_FRACTION));
    StartedDevice first = startFirst(devices.get(0), memory);
    List<StartedDevice> started = new ArrayList<>(List.of(first));
    if (devices.size() > 1 && !taken) {
      started.addAll(startFurther(first.number(), devices.subList(1, devices.size()), memory));
    }
    if (withPool) {
      usePoolInCudf(started);
    }
    return started;
  }

  private StartedDevice startFirst(int device, DeviceMemory memory) throws UnusableGpuException {
    CurrentDevice.use(device);
    CudaCompatibility.check(Cuda.getRuntimeVersion());
    if (!Cuda.isPtdsEnabled()) {
      throw new UnusableGpuException(
          "this libcudf was built without per-thread default streams, which Mooring needs");
    }
    return StartedDevice.current(device, memory.startFirst(device));
  }

  private List<StartedDevice> startFurther(int first, List<Integer> devices, DeviceMemory memory) {
    RmmDeviceMemoryResource ofFirst = Rmm.getCurrentDeviceResource();
    // Or every call of cudf Java would put its thread on the device of Rmm.initialize.
    Rmm.cleanupDefaultCudaDevice();
    List<StartedDevice> started = new ArrayList<>();
    for (int device : devices) {
      try {
        CurrentDevice.use(device);
        started.add(StartedDevice.current(device, memory.startFurther(device)));
      } catch (UnusableGpuException | RuntimeException | OutOfMemoryError e) {
        warnOf(device, e);
      }
    }
    // Rmm's statistics are those of the resource that was set last.
    CurrentDevice.use(first);
    Rmm.setCurrentDeviceResource(ofFirst, null, true);
    return started;
  }

  private static void warnOf(int device, Throwable cause) {
    LOG.warn(
        "GPU {} could not be started and is left out; Mooring goes on with the others. Name the"
            + " GPUs to use in {}",
        device,
        GpuEntries.DEVICES.key(),
        cause);
  }

  private void usePoolInCudf(List<StartedDevice> devices) throws IOException {
    PinnedAllocator replacement = PinnedPool.replacement();
    if (replacement != null) {
      replacement.start(PinnedPool.mostBytes(), devices.get(0).number());
    } else if (PinnedMemoryPool.isInitialized()) {
      // Its shutdown would restore what libcudf had before, whatever was set since.
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
    Cudf.setKernelPinnedCopyThreshold(
        kernelCopyThreshold(
            devices.stream().map(StartedDevice::number).toList(),
            PoolJni::readsRegisteredMemory,
            conf.get(GpuEntries.KERNEL_COPY_THRESHOLD)));
  }

  /**
   * The size up to which kernels, not the copy engine, copy between pinned memory and a device. Our
   * memory resource gives libcudf only memory that kernels may read. Kernels read it by its host
   * address, which not every system maps on the device.
   *
   * @param readsRegisteredMemory whether a device has the host addresses of registered memory
   * @param set the threshold of the settings, in bytes
   * @return bytes; 0 for copies by the copy engine alone
   */
  static long kernelCopyThreshold(
      List<Integer> devices, IntPredicate readsRegisteredMemory, long set) {
    return devices.stream().allMatch(readsRegisteredMemory::test) ? set : 0;
  }
}
