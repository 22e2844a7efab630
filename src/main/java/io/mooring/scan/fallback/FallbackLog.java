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
 * Logs once for each reason in a process why Spark's reader reads files, and counts each file for
 * the query of the task that calls. Thread-safe.
 */
public final class FallbackLog {
  private static final Logger LOG = LoggerFactory.getLogger(FallbackLog.class);
  // Reasons can name columns: past this many the log has said enough.
  private static final int MOST_REASONS = 100;
  private static final Set<String> SAID = ConcurrentHashMap.newKeySet();

  private FallbackLog() {}

  /** A whole file, or its part in one task, is Spark's from the start. */
  public static void file(String path, String reason) {
    FileFallbacks.add(execution(), reason, path);
    if (SAID.size() < MOST_REASONS && SAID.add(reason)) {
      LOG.info("{} and files like it are read by Spark's own reader: {}", path, reason);
    }
  }

  /** A part that the GPU could not finish. */
  public static void unit(FileSequence files, Throwable cause) {
    String reason = String.valueOf(cause.getMessage());
    files.files().forEach(file -> FileFallbacks.add(execution(), reason, file.path()));
    if (SAID.size() < MOST_REASONS && SAID.add(reason)) {
      LOG.warn(
          "A part of {} is read again by Spark's own reader: the GPU path failed", files, cause);
    }
  }

  /**
   * A part whose rows the GPU does not compute as Spark does, or not without an error of Spark's.
   */
  public static void computed(List<ParquetFile> files, Throwable cause) {
    String reason = String.valueOf(cause.getMessage());
    files.forEach(file -> FileFallbacks.add(execution(), reason, file.path()));
    if (SAID.size() < MOST_REASONS && SAID.add(reason)) {
      LOG.info(
          "Rows of {} and of files like it are computed by Spark: {}", files.get(0).path(), reason);
    }
  }

  /** A part with pages that the GPU was not given. */
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

  /** A part that the GPU was not asked for any more. */
  public static void withoutGpu(FileSequence files, String reason) {
    files.files().forEach(file -> file(file.path(), reason));
  }

  /** A part for which device memory did not suffice. */
  public static void halved(FileSequence files, Throwable cause) {
    String reason = "memory: " + cause.getMessage();
    if (SAID.size() < MOST_REASONS && SAID.add(reason)) {
      LOG.warn(
          "Device memory did not suffice for a part of {}: it is read in halves", files, cause);
    }
  }

  /** A part of one row group for which device memory did not suffice. */
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
