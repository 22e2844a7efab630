package io.mooring.gpu;

import ai.rapids.cudf.BaseDeviceMemoryBuffer;
import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.CudaException;
import ai.rapids.cudf.CudfException;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.MemoryBuffer;
import io.mooring.jni.CudaFailure;
import io.mooring.jni.TransferJni;

/** A kernel that reads an address where nothing is: no CUDA context survives it. */
final class StrayKernel {
  private static final long NOWHERE = 4096;
  private static final int ROWS = 1024;

  private StrayKernel() {}

  /** Returns when the context of this process on its first device is lost. */
  static void run() {
    runOn(GpuRuntime.current().orElseThrow().devices().all().get(0));
  }

  /** Returns when the context of this process on a device is lost. */
  static void runOn(Device device) {
    device.useOnThisThread();
    try (ColumnView column = ColumnView.fromDeviceBuffer(new Nowhere(), 0, DType.INT8, ROWS);
        ColumnVector sum = column.add(column)) {
      TransferJni.syncStream(TransferJni.PER_THREAD_STREAM);
      throw new AssertionError("The kernel read " + sum.getRowCount() + " rows");
    } catch (CudaFailure | CudaException | CudfException e) {
      System.out.println("The kernel failed, as it should: " + e.getMessage());
    }
  }

  private static final class Nowhere extends BaseDeviceMemoryBuffer {
    Nowhere() {
      super(NOWHERE, ROWS, (MemoryBufferCleaner) null);
    }

    @Override
    public MemoryBuffer slice(long offset, long bytes) {
      throw new UnsupportedOperationException();
    }
  }
}
