package io.mooring.scan.fallback;

import io.mooring.metrics.FileFallbacks;
import io.mooring.parquet.source.FileSequence;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.parquet.verify.DamagedPagesException;
import io.mooring.parquet.verify.UndecodablePagesException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.TaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs why Spark's reader reads files, once for each reason in a process, and counts each file for
 * the query of the calling task. Thread-safe.
 */
public final class FallbackLog {
  private static final Logger LOG = LoggerFactory.getLogger(FallbackLog.class);
  // Reasons can name columns, so that there may be very many.
  private static final int MOST_REASONS = 100;
  private static final Set<String> SAID = ConcurrentHashMap.newKeySet();

  private FallbackLog() {}

  /** Logs that Spark's reader reads a whole file, or its part in one task, from the start. */
  public static void file(String path, String reason) {
    FileFallbacks.add(execution(), reason, path);
    if (SAID.size() < MOST_REASONS && SAID.add(reason)) {
      LOG.info("{} and files like it are read by Spark's own reader: {}", path, reason);
    }
  }

  /** Logs that Spark's reader reads a part again that the GPU could not finish. */
  public static void unit(FileSequence files, Throwable cause) {
    String reason = String.valueOf(cause.getMessage());
    files.files().forEach(file -> FileFallbacks.add(execution(), reason, file.path()));
    if (SAID.size() < MOST_REASONS && SAID.add(reason)) {
      LOG.warn(
          "A part of {} is read again by Spark's own reader: the GPU path failed", files, cause);
    }
  }

  /**
   * Logs that Spark computes rows whose results, or errors, the GPU would not compute as Spark
   * does.
   */
  public static void computed(List<ParquetFile> files, Throwable cause) {
    String reason = String.valueOf(cause.getMessage());
    files.forEach(file -> FileFallbacks.add(execution(), reason, file.path()));
    if (SAID.size() < MOST_REASONS && SAID.add(reason)) {
      LOG.info("Spark computes rows of {} and of files like it: {}", files.get(0).path(), reason);
    }
  }

  /** Logs that Spark's reader reads a part whose pages the GPU must not decode. */
  public static void pages(UndecodablePagesException pages) {
    if (pages instanceof DamagedPagesException damage) {
      damaged(damage);
    } else {
      file(pages.path(), String.valueOf(pages.getMessage()));
    }
  }

  private static void damaged(DamagedPagesException damage) {
    String reason = String.valueOf(damage.getMessage());
    FileFallbacks.add(execution(), reason, damage.path());
    if (SAID.size() < MOST_REASONS && SAID.add(reason)) {
      LOG.warn(
          "Pages of {} are damaged, and Spark's own reader reads them: {}",
          damage.path(),
          damage.detail());
    }
  }

  /** Logs that Spark's reader reads a part because the GPU is not used any more. */
  public static void withoutGpu(FileSequence files, String reason) {
    files.files().forEach(file -> file(file.path(), reason));
  }

  /** Logs that a part is read in halves because device memory did not suffice. */
  public static void halved(FileSequence files, Throwable cause) {
    String reason = "memory: " + cause.getMessage();
    if (SAID.size() < MOST_REASONS && SAID.add(reason)) {
      LOG.warn(
          "Device memory did not suffice for a part of {}: it is read in halves", files, cause);
    }
  }

  /** Logs that a row group is decoded in chunks because device memory did not suffice. */
  public static void chunked(FileSequence files, Throwable cause) {
    String reason = "memory for a row group: " + cause.getMessage();
    if (SAID.size() < MOST_REASONS && SAID.add(reason)) {
      LOG.warn(
          "Device memory did not suffice for a row group of {}: it is decoded in chunks",
          files,
          cause);
    }
  }

  private static long execution() {
    TaskContext task = TaskContext.get();
    String id = task == null ? null : task.getLocalProperty("spark.sql.execution.id");
    return id == null ? FileFallbacks.NO_EXECUTION : Long.parseLong(id);
  }
}
