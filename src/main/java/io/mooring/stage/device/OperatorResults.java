package io.mooring.stage.device;

import io.mooring.expr.device.DeviceBatch;
import io.mooring.scan.task.ResultTooLargeException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The results of a stage's operators for one batch: several parts where a join took slices of the
 * batch, or rows were expanded. Belongs to one thread.
 */
final class OperatorResults implements AutoCloseable {
  // Groups of the same keys in several parts are merged when they take more than this.
  private static final long MERGE_BYTES = 256L << 20;
  // Bytes that the parts of a unit may take together, for which no room is reserved.
  private static final long MOST_BYTES = 1L << 30;

  private final Together together;
  private final boolean shrinks;
  private final List<DeviceBatch> parts = new ArrayList<>();
  private long bytes;
  private long mergeAt = MERGE_BYTES;

  /** Makes one batch of several, which stay the caller's. */
  interface Together {
    DeviceBatch of(List<DeviceBatch> parts);
  }

  /**
   * @param shrinks whether parts take less when they are put together, as groups do
   */
  OperatorResults(Together together, boolean shrinks) {
    this.together = together;
    this.shrinks = shrinks;
  }

  /**
   * Takes over a part.
   *
   * @throws ResultTooLargeException when all parts take too much room together
   */
  void add(DeviceBatch part) {
    parts.add(part);
    bytes += part.bytes();
    if (shrinks && parts.size() > 1 && bytes > mergeAt) {
      putTogether();
      mergeAt = Math.max(MERGE_BYTES, 2 * bytes);
    }
    if (bytes > MOST_BYTES && (parts.size() > 1 || mergeAt > MERGE_BYTES)) {
      throw new ResultTooLargeException("the operators of a stage make too many rows from a unit");
    }
  }

  /** The rows of all parts. */
  long rows() {
    return parts.stream().mapToLong(DeviceBatch::rows).sum();
  }

  /** All parts as one batch, which the caller closes; null when there is none. */
  @Nullable DeviceBatch take() {
    if (parts.isEmpty()) {
      return null;
    } else if (parts.size() > 1) {
      putTogether();
    }
    return parts.remove(0);
  }

  private void putTogether() {
    DeviceBatch all = together.of(List.copyOf(parts));
    close();
    parts.add(all);
    bytes = all.bytes();
  }

  @Override
  public void close() {
    parts.forEach(DeviceBatch::close);
    parts.clear();
    bytes = 0;
    mergeAt = MERGE_BYTES;
  }
}
