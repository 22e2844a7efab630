package io.mooring.gpu;

import io.mooring.conf.MooringConf;
import io.mooring.jni.NativeLibrary;
import io.mooring.jni.PoolJni;
import io.mooring.jni.TransferJni;
import java.io.IOException;
import java.util.OptionalInt;

/** The steps that bring up the GPU of a process. */
final class GpuStart {
  /**
   * What came up.
   *
   * @param device the CUDA device
   * @param deviceName the device, for people
   * @param deviceBytes device bytes that scans may take
   * @param uploadStream the CUDA stream that all copies to the device go through
   * @param pool the pool, which may still be filling
   */
  record Result(
      int device, String deviceName, long deviceBytes, long uploadStream, PoolStart pool) {}

  private final MooringConf conf;
  private final OptionalInt assigned;

  /**
   * Prepares a start.
   *
   * @param assigned the device that Spark has given to this executor
   */
  GpuStart(MooringConf conf, OptionalInt assigned) {
    this.conf = conf;
    this.assigned = assigned;
  }

  /**
   * Takes seconds, and returns before the pool is full.
   *
   * @throws UnusableGpuException when this process has to do without a GPU
   * @throws IOException when a native library cannot be unpacked
   */
  Result run() throws UnusableGpuException, IOException {
    int device = findDevice();
    CudfVersion.check(GpuStart.class.getClassLoader());
    // Before anything else brings the device up in its own way.
    TransferJni.initDevice(device);
    PoolStart pool = new PoolStart(conf, executorsOfHost());
    // The pool fills while libcudf is being unpacked.
    pool.start(device);
    long deviceBytes = new DeviceStart(conf, device).run(pool.isOn());
    long uploadStream = TransferJni.createStream();
    return new Result(device, DeviceName.of(device), deviceBytes, uploadStream, pool);
  }

  /** One for each GPU that this process sees, where Spark gives each executor its own. */
  private int executorsOfHost() {
    return assigned.isPresent() ? PoolJni.deviceCount() : 1;
  }

  private int findDevice() throws UnusableGpuException {
    if (!NativeLibrary.load()) {
      throw new UnusableGpuException(String.valueOf(NativeLibrary.problem()));
    }
    int count = PoolJni.deviceCount();
    if (count == 0) {
      throw new UnusableGpuException(
          "there is no usable GPU (" + PoolJni.deviceProblem() + ")", true);
    }
    // A container that shows one device numbers it 0, whatever its number outside.
    int device = count == 1 ? 0 : assigned.orElse(0);
    if (device >= count) {
      throw new UnusableGpuException(
          "Spark assigned GPU " + device + ", but this process sees " + count + " GPUs");
    }
    return device;
  }
}
