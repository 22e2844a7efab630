package io.mooring.gpu;

import io.mooring.conf.ExecutorMemory;
import io.mooring.conf.GpuEntries;
import io.mooring.conf.MooringConf;
import io.mooring.conf.SparkShare;
import io.mooring.jni.CudaFailure;
import io.mooring.jni.NativeLibrary;
import io.mooring.jni.PoolJni;
import io.mooring.jni.TransferJni;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The steps that bring up the GPUs of a process. */
final class GpuStart {
  /**
   * What came up.
   *
   * @param devices at least one
   * @param pool the pool, which may still be filling
   */
  record Result(List<StartedDevice> devices, PoolStart pool) {}

  /** CUDA's numbers for the values of {@link GpuEntries#WAITING}. */
  private static final Map<String, Integer> SCHEDULES = Map.of("spin", 1, "yield", 2, "block", 4);

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
    List<Integer> devices = thatComeUp(chosen);
    PoolStart pool =
        new PoolStart(conf, ExecutorMemory.ofThisProcess(spark, executorsOfHost(count)));
    // The pool fills while libcudf is being unpacked.
    pool.start(devices);
    return new Result(new DeviceStart(conf).run(devices, pool.isOn()), pool);
  }

  /** One for each share of the GPUs that this process sees, where Spark gives executors theirs. */
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

  /** Another process may have one of several for itself: the others are used then. */
  private List<Integer> thatComeUp(List<Integer> chosen) {
    List<Integer> up = new ArrayList<>();
    CudaFailure failure = null;
    int schedule = Objects.requireNonNull(SCHEDULES.get(conf.get(GpuEntries.WAITING)));
    for (int device : chosen) {
      // Before anything else brings the device up in its own way.
      TransferJni.initDevice(device, schedule);
      failure = refusal(device);
      if (failure == null) {
        up.add(device);
      } else if (chosen.size() > 1) {
        DeviceStart.warnOf(device, failure);
      }
    }
    if (up.isEmpty() && failure != null) {
      throw failure;
    }
    return up;
  }

  private static @Nullable CudaFailure refusal(int device) {
    try {
      TransferJni.setDevice(device);
      return null;
    } catch (CudaFailure e) {
      return e;
    }
  }
}
