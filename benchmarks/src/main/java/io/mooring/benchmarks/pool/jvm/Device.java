package io.mooring.benchmarks.pool.jvm;

import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.NativeDepsLoader;

/** The GPU, made ready beforehand: a context takes as long as a pool, and every arm needs one. */
final class Device {

  private Device() {}

  static void open() {
    NativeDepsLoader.loadNativeDeps();
    Cuda.setDevice(0);
    Cuda.freeZero();
  }
}
