package io.mooring.gpu;

import io.mooring.jni.FaultJni;
import io.mooring.jni.FaultJni.Point;

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
