package io.mooring.scan;

import ai.rapids.cudf.CudaException;
import io.mooring.expr.device.SparkFallbackException;
import io.mooring.gpu.TaskGpu;
import io.mooring.jni.CudaFailure;
import io.mooring.parquet.source.FileSequence;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.parquet.verify.UndecodablePagesException;
import java.util.List;

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
    } else if (cause instanceof SparkFallbackException) {
      FallbackLog.computed(step.unit().files().files(), cause);
      steps.leave(step);
    } else if (gpu.health().isLost(cause)) {
      withoutGpu(step);
    } else if (cause instanceof ResultTooLargeException) {
      tooLarge(step, cause);
    } else if (isForMemory(cause) && steps.halve(step, mergeDistance)) {
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

  private void tooLarge(ScanSteps.Decode step, Throwable cause) {
    if (!steps.halve(step, mergeDistance) && !steps.chunk(step)) {
      FallbackLog.computed(step.unit().files().files(), cause);
      steps.leave(step);
    }
  }

  /** Whether memory was wanted; then what nobody uses goes. */
  private boolean isForMemory(Throwable cause) {
    boolean is = OutOfDeviceMemory.is(cause);
    if (is) {
      gpu.objects().dropUnused();
    }
    return is;
  }

  /** What was held on the device is lost: Spark reads again what it was made of. */
  void failedHeld(List<FileSplit> splits, Throwable cause) {
    List<ParquetFile> files = splits.stream().map(FileSplit::file).toList();
    if (cause instanceof SparkFallbackException) {
      FallbackLog.computed(files, cause);
    } else if (gpu.health().isLost(cause)) {
      FallbackLog.withoutGpu(FileSequence.of(files), gpu.reason());
    } else {
      if (isTheDevices(cause)) {
        gpu.health().failed(cause);
      }
      FallbackLog.unit(FileSequence.of(files), cause);
    }
    steps.leave(splits);
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
