package io.mooring.gpu;

import io.mooring.jni.FaultJni.Point;

/** One call fails, and the CUDA context survives it. No two have the same error. */
enum PassingFault {
  CREATE_EVENT(Point.CREATE_EVENT, 3, 999, "cudaErrorUnknown"),
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
