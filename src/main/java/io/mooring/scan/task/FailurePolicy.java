package io.mooring.scan.task;

import ai.rapids.cudf.CudaException;
import io.mooring.expr.device.SparkFallbackException;
import io.mooring.gpu.TaskGpu;
import io.mooring.jni.CudaFailure;
import io.mooring.parquet.source.FileSequence;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.parquet.verify.UndecodablePagesException;
import io.mooring.scan.fallback.FallbackLog;
import io.mooring.scan.plan.ScanUnit;
import io.mooring.scan.split.FileSplit;
import java.util.List;

/**
 * Decides what replaces a unit that the GPU could not finish, and reports its failure to the GPU's
 * health. Belongs to one task.
 *
 * @param queue the work of the task, at whose head the replacement comes
 */
record FailurePolicy(TaskGpu gpu, WorkQueue queue, long mergeDistance) {
  /** Has the GPU read the halves or chunks of a failed unit, or Spark's reader the whole. */
  void failed(ScanUnit unit, Throwable cause) {
    if (cause instanceof UndecodablePagesException pages) {
      undecodable(unit, pages);
    } else if (cause instanceof SparkFallbackException) {
      FallbackLog.computed(unit.unit().files().files(), cause);
      queue.fallBack(unit);
    } else if (gpu.health().isLost(cause)) {
      withoutGpu(unit);
    } else if (cause instanceof ResultTooLargeException) {
      tooLarge(unit, cause);
    } else if (isForMemory(cause) && queue.halve(unit, mergeDistance)) {
      FallbackLog.halved(unit.unit().files(), cause);
    } else if (OutOfDeviceMemory.is(cause) && queue.chunk(unit)) {
      FallbackLog.chunked(unit.unit().files(), cause);
    } else {
      if (isTheDevices(cause)) {
        gpu.health().failed(cause);
      }
      FallbackLog.unit(unit.unit().files(), cause);
      queue.fallBack(unit);
    }
  }

  private void tooLarge(ScanUnit unit, Throwable cause) {
    if (!queue.halve(unit, mergeDistance) && !queue.chunk(unit)) {
      FallbackLog.computed(unit.unit().files().files(), cause);
      queue.fallBack(unit);
    }
  }

  /** Whether device memory did not suffice; then shared objects that nobody uses are freed. */
  private boolean isForMemory(Throwable cause) {
    boolean is = OutOfDeviceMemory.is(cause);
    if (is) {
      gpu.objects().dropUnused();
    }
    return is;
  }

  /** Has Spark read again the splits whose groups were held on the device and are lost. */
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
    queue.fallBack(splits);
  }

  private void undecodable(ScanUnit unit, UndecodablePagesException pages) {
    if (!queue.oneByOne(unit)) {
      FallbackLog.pages(pages);
      queue.fallBack(unit);
    }
  }

  private static boolean isTheDevices(Throwable cause) {
    return cause instanceof CudaException
        || cause instanceof CudaFailure
        || OutOfDeviceMemory.is(cause);
  }

  /** Has Spark's reader read a unit, because the GPU is not used any more. */
  void withoutGpu(ScanUnit unit) {
    FallbackLog.withoutGpu(unit.unit().files(), gpu.reason());
    queue.fallBack(unit);
  }
}
