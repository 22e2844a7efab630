package io.mooring.parquet;

import io.mooring.memory.PinnedPool;
import io.mooring.parquet.bytes.FileRange;
import java.util.List;

/** How many bytes are put into one host buffer and copied to the device at once. */
final class PieceSize {
  // The copy engine loses 4 to 7 % of its rate to copies of 4 MiB, nothing to such as these.
  private static final long MOST = 16L << 20;
  private static final long LEAST = 1L << 20;
  // A copy from pageable memory keeps its thread busy: several at a time are better.
  private static final long PAGEABLE = 4L << 20;
  // That many have room in the pool, so that a small one is not refused for want of a long run.
  private static final int IN_POOL = 16;

  private PieceSize() {}

  /** In bytes, for a unit that is started now. */
  static long now() {
    long pool = PinnedPool.mostBytes();
    return pool == 0 ? PAGEABLE : Math.max(LEAST, Math.min(MOST, pool / IN_POOL));
  }

  /** Pieces of that many bytes, the last of each range shorter. */
  static int pieces(List<FileRange> ranges, long bytes) {
    return ranges.stream().mapToInt(range -> (int) ((range.length() + bytes - 1) / bytes)).sum();
  }
}
