package io.mooring.spark.plan;

import io.mooring.conf.SqlEntries;
import io.mooring.session.GpuAvailability;
import io.mooring.session.SessionConf;
import org.apache.spark.sql.SparkSession;

/**
 * The estimated device memory, in bytes, that a task may keep in use beyond the unit that it
 * decodes.
 *
 * @param tables the most bytes of the hash tables of all joins of a stage
 */
public record DeviceBudget(long tables) {
  /** What tables may take until executors have said what memory their GPUs have. */
  private static final long UNKNOWN_GPU_BYTES = 8L << 30;

  /**
   * The part of the device memory that scans may use. Tables of all queries get half of it, so
   * those of two queries mostly have room.
   */
  private static final int SHARE_OF_TABLES = 3;

  /**
   * A fifth of the memory that scans may use: merging groups takes their size twice, and groups and
   * tables of all queries get half.
   */
  private static final double SHARE_OF_GROUPS = 0.6;

  /** The budget that a session sets, else one by the memory of the smallest GPU. */
  public static DeviceBudget of(SparkSession session) {
    long least = new GpuAvailability(session).leastDeviceBytes();
    return new DeviceBudget(
        SessionConf.get(session, SqlEntries.REPLICATED_JOINS_MAX_BUILD_SIZE)
            .orElse(least == 0 ? UNKNOWN_GPU_BYTES : least / SHARE_OF_TABLES));
  }

  /** Bytes that the groups of one task may take. */
  public long groups() {
    return (long) (tables * SHARE_OF_GROUPS);
  }

  /** The same, but no more than some bytes. */
  public DeviceBudget atMost(long bytes) {
    return new DeviceBudget(Math.min(tables, bytes));
  }
}
