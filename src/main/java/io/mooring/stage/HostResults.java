package io.mooring.stage;

import io.mooring.columnar.PackedTable;
import io.mooring.expr.device.DeviceBatch;
import io.mooring.gpu.RefusedException;
import io.mooring.gpu.Room;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Results of a final aggregate in host memory, for GPUs of a process other than the one that
 * computed them. Thread-safe.
 */
final class HostResults implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HostResults.class);
  // Host memory is for file bytes; a GPU computes larger results itself.
  private static final long MOST_BYTES = 256L << 20;

  private final List<PackedTable> slices;
  private int readers;
  private boolean closed;

  private HostResults(List<PackedTable> slices) {
    this.slices = List.copyOf(slices);
  }

  /**
   * A copy of results on the device of the calling thread, which stay the caller's; null if they
   * are large or there is no room for the copy.
   */
  static @Nullable HostResults of(List<DeviceBatch> results, Room room) {
    boolean copies =
        results.stream().allMatch(batch -> batch.width() > 0)
            && results.stream().mapToLong(DeviceBatch::bytes).sum() <= MOST_BYTES;
    return copies ? copied(results, room) : null;
  }

  private static @Nullable HostResults copied(List<DeviceBatch> results, Room room) {
    List<PackedTable> slices = new ArrayList<>();
    boolean complete = false;
    try {
      results.forEach(batch -> HostSlices.forEach(batch, room, slices::add));
      complete = true;
      return new HostResults(slices);
    } catch (RuntimeException | OutOfMemoryError e) {
      LOG.debug("Other GPUs compute an aggregate again that was not copied", e);
      return null;
    } finally {
      if (!complete) {
        slices.forEach(PackedTable::close);
      }
    }
  }

  /**
   * The results on the device of the calling thread, which closes them; null after {@link #close}.
   *
   * @throws RefusedException when there is no room
   */
  @Nullable List<DeviceBatch> onDevice(Room room) {
    if (!open()) {
      return null;
    }
    List<DeviceBatch> all = new ArrayList<>();
    boolean complete = false;
    try {
      slices.forEach(slice -> all.add(HostSlices.onDevice(slice, room)));
      complete = true;
      return all;
    } finally {
      if (!complete) {
        all.forEach(DeviceBatch::close);
      }
      leave();
    }
  }

  private synchronized boolean open() {
    readers += closed ? 0 : 1;
    return !closed;
  }

  private synchronized void leave() {
    readers--;
    free();
  }

  private void free() {
    if (closed && readers == 0) {
      slices.forEach(PackedTable::close);
    }
  }

  /** Frees the copy, or has the last reader free it: a read on a lost GPU may not end. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      free();
    }
  }
}
