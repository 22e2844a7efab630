package io.mooring.gpu;

import io.mooring.jni.FaultJni;
import io.mooring.jni.FaultJni.Point;

/**
 * A fault of the CUDA runtime.
 *
 * @param point where it is
 * @param nth the call that fails, counted from 1
 * @param error CUDA's number of it
 * @param name CUDA's name of it
 */
record InjectedFault(Point point, int nth, int error, String name) {
  private static final int OUT_OF_MEMORY = 2;

  /** How the message of what is thrown begins. */
  String words() {
    return point == Point.DECODE && error == OUT_OF_MEMORY ? "Fault of a test: out of mem" : name;
  }

  /** One call fails, and the CUDA context survives it. No two have the same error. */
  enum PassingFault {
    TAKE_EVENT(Point.TAKE_EVENT, 3, 999, "cudaErrorUnknown"),
    COPY_TO_DEVICE(Point.COPY_TO_DEVICE, 3, 1, "cudaErrorInvalidValue"),
    RECORD_EVENT(Point.RECORD_EVENT, 3, 400, "cudaErrorInvalidResourceHandle"),
    SYNC_EVENT(Point.SYNC_EVENT, 3, 304, "cudaErrorOperatingSystem"),
    // The first of a scan: a later one may be of a unit that is read ahead, and tried again.
    SYNC_STREAM(Point.SYNC_STREAM, 1, 801, "cudaErrorNotSupported"),
    DECODE(Point.DECODE, 2, 209, "cudaErrorNoKernelImageForDevice"),
    /** Unlike the others: half a unit may fit, so the GPU reads it all. */
    OUT_OF_MEMORY(Point.DECODE, 2, 2, "cudaErrorMemoryAllocation"),
    COPY_TO_HOST(Point.COPY_TO_HOST, 2, 46, "cudaErrorDevicesUnavailable");

    final InjectedFault fault;

    PassingFault(Point point, int nth, int error, String name) {
      this.fault = new InjectedFault(point, nth, error, name);
    }

    /** File splits that Spark's reader reads of a table whose files are a unit each. */
    int leftToSpark() {
      return this == OUT_OF_MEMORY ? 0 : 1;
    }
  }

  /** What goes wrong for the rest of a process. */
  enum LastingFault {
    START(Point.SET_DEVICE, 1, 46, "cudaErrorDevicesUnavailable"),
    PINNING(Point.HOST_REGISTER, 1, 2, "cudaErrorMemoryAllocation"),
    COPY_TO_DEVICE(Point.COPY_TO_DEVICE, 5, 700, "cudaErrorIllegalAddress"),
    SYNC_EVENT(Point.SYNC_EVENT, 5, 214, "cudaErrorECCUncorrectable"),
    DECODE(Point.DECODE, 5, 719, "cudaErrorLaunchFailure"),
    COPY_TO_HOST(Point.COPY_TO_HOST, 5, 716, "cudaErrorMisalignedAddress"),
    SYNC_STREAM(Point.SYNC_STREAM, 12, 710, "cudaErrorAssert"),
    OUT_OF_MEMORY(Point.DECODE, 1, 2, "cudaErrorMemoryAllocation"),
    /** Not injected: a kernel reads where nothing is. */
    KERNEL(Point.DECODE, 0, 700, "cudaErrorIllegalAddress");

    final InjectedFault fault;

    LastingFault(Point point, int nth, int error, String name) {
      this.fault = new InjectedFault(point, nth, error, name);
    }

    /** Whether it happens before the first scan. */
    boolean atStart() {
      return this == START || this == PINNING;
    }

    /** Whether the GPU is used all the same. */
    boolean leavesTheGpu() {
      return this == PINNING;
    }

    /** Makes it happen, at once or soon. */
    void happen() {
      if (this == KERNEL) {
        StrayKernel.run();
      } else {
        FaultJni.failFrom(fault.point(), fault.nth(), fault.error());
      }
    }
  }
}
