package io.mooring.gpu;

import ai.rapids.cudf.Cuda;
import io.mooring.jni.TransferJni;

/** The device that a thread works on, in both CUDA runtimes of this process and for the pool. */
final class CurrentDevice {
  private static final int NONE = -1;
  private static final ThreadLocal<Integer> OF_THREAD = ThreadLocal.withInitial(() -> NONE);

  private CurrentDevice() {}

  /** Makes a device the calling thread's; cheap when it is. */
  static void use(int device) {
    if (OF_THREAD.get() != device) {
      OF_THREAD.set(NONE);
      TransferJni.setDevice(device);
      Cuda.setDevice(device);
      OF_THREAD.set(device);
    }
  }
}
