package io.mooring.scan;

import ai.rapids.cudf.CudaException;
import io.mooring.gpu.TaskGpu;
import io.mooring.jni.CudaFailure;
import io.mooring.parquet.verify.UndecodablePagesException;
import io.mooring.pushdown.RowsNeededException;

/**
 * What is done instead of a unit that the GPU could not finish, and what its failure says of the
 * GPU. Belongs to one task.
 *
 * @param steps of the task, at whose head comes what is done instead
 */
record UnitFailures(TaskGpu gpu, StepQueue steps, long mergeDistance) {
  /** Its halves or chunks are read on the GPU, or Spark's reader reads it. */
  void failed(ScanSteps.Decode step, Throwable cause) {
    if (cause instanceof UndecodablePagesException pages) {
      undecodable(step, pages);
    } else if (cause instanceof RowsNeededException) {
      FallbackLog.rows(step.unit().files(), cause);
      steps.leave(step);
    } else if (gpu.health().isLost(cause)) {
      withoutGpu(step);
    } else if (OutOfDeviceMemory.is(cause) && steps.halve(step, mergeDistance)) {
      FallbackLog.halved(step.unit().files(), cause);
    } else if (OutOfDeviceMemory.is(cause) && steps.chunk(step)) {
      FallbackLog.chunked(step.unit().files(), cause);
    } else {
      if (isTheDevices(cause)) {
        gpu.health().failed(cause);
      }
      FallbackLog.unit(step.unit().files(), cause);
      steps.leave(step);
    }
  }

  private void undecodable(ScanSteps.Decode step, UndecodablePagesException pages) {
    if (!steps.oneByOne(step)) {
      FallbackLog.pages(pages);
      steps.leave(step);
    }
  }

  private static boolean isTheDevices(Throwable cause) {
    return cause instanceof CudaException
        || cause instanceof CudaFailure
        || OutOfDeviceMemory.is(cause);
  }

  /** Spark's reader reads it, because the GPU is not used any more. */
  void withoutGpu(ScanSteps.Decode step) {
    FallbackLog.withoutGpu(step.unit().files(), gpu.reason());
    steps.leave(step);
  }
}
