package io.mooring.stage.task;

import io.mooring.expr.device.DeviceBatch;
import io.mooring.expr.device.SparkFallbackException;
import io.mooring.parquet.read.ScanResources;
import io.mooring.scan.output.UnitOutput;
import io.mooring.scan.output.UnitOutput.DecodedUnit;
import io.mooring.scan.output.UnitOutput.FileBatch;
import io.mooring.scan.plan.ScanUnit;
import io.mooring.scan.task.OutOfDeviceMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the rows or groups that a stage makes of its units on the device. Belongs to one thread.
 */
final class DeviceOutput implements UnitOutput {
  // Fewer are merged at the end, where all of them are.
  private static final long LEAST_ROWS_TO_MERGE = 4L << 20;

  // Room is kept in MiB: the few groups of many units share some.
  private static final long LEAST_ROOM = 4L << 20;

  private final UnitOperators operators;
  private final LongConsumer room;
  private final List<DeviceBatch> pending = new ArrayList<>();
  private final List<DeviceBatch> batches = new ArrayList<>();
  private boolean merging = true;
  private long mergedRows;
  private long bytes;
  private long taken;
  private @Nullable RuntimeException refused;

  /**
   * @param room asked for so many bytes on the device before they are kept; fails when there is
   *     none
   */
  DeviceOutput(UnitOperators operators, LongConsumer room) {
    this.operators = operators;
    this.room = room;
  }

  /** Without turns: tasks that wait for these rows may have one. */
  @Override
  public ScanResources resources(ScanResources shared) {
    return shared.withoutLimit();
  }

  @Override
  public List<FileBatch> ofDevice(DecodedUnit unit) {
    DeviceBatch result = refused == null ? operators.apply(unit) : null;
    if (result != null) {
      pending.add(result);
    }
    return List.of();
  }

  @Override
  public void done(ScanUnit unit) {
    List<DeviceBatch> results = List.copyOf(pending);
    pending.clear();
    results.forEach(this::keep);
    if (rows() - mergedRows > Math.max(mergedRows, LEAST_ROWS_TO_MERGE)) {
      merge();
    }
  }

  /** Merges batches of partial groups into one, where that helps. */
  void merge() {
    if (!merging || batches.size() < 2 || refused != null || !operators.stage().merges()) {
      return;
    }
    try {
      DeviceBatch merged = operators.stage().merged(batches);
      // Groups of other keys in each unit are only copied by that.
      merging = merged.rows() <= rows() / 2;
      free(batches);
      batches.add(merged);
      bytes = merged.bytes();
      mergedRows = merged.rows();
    } catch (RuntimeException | OutOfMemoryError e) {
      if (!OutOfDeviceMemory.is(e) && !(e instanceof SparkFallbackException)) {
        throw e;
      }
      merging = false;
    }
  }

  private long rows() {
    return batches.stream().mapToLong(DeviceBatch::rows).sum();
  }

  /** Takes over a batch. */
  void keep(DeviceBatch batch) {
    batches.add(batch);
    bytes += batch.bytes();
    if (refused != null) {
      return;
    }
    try {
      takeRoom();
    } catch (RuntimeException e) {
      // The failure is not a unit's: the rest need not be computed, and nothing is kept.
      refused = e;
      free(batches);
    }
  }

  private void takeRoom() {
    if (bytes > taken || taken == 0) {
      long more = Math.max(bytes - taken, LEAST_ROOM);
      room.accept(more);
      taken += more;
    }
  }

  /** Whether there was no room for something; further work is useless then. */
  boolean isRefused() {
    return refused != null;
  }

  /** Fails as room was refused, where it was. */
  void check() {
    if (refused != null) {
      throw refused;
    }
  }

  /**
   * All that was kept, which the caller closes.
   *
   * @throws RuntimeException when there was no room for it
   */
  List<DeviceBatch> take() {
    check();
    List<DeviceBatch> all = List.copyOf(batches);
    batches.clear();
    return all;
  }

  @Override
  public void drop() {
    free(pending);
  }

  @Override
  public void close() {
    drop();
    free(batches);
    operators.close();
  }

  private static void free(List<DeviceBatch> batches) {
    batches.forEach(DeviceBatch::close);
    batches.clear();
  }
}
