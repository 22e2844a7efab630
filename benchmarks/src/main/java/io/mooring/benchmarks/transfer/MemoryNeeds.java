package io.mooring.benchmarks.transfer;

import io.mooring.benchmarks.cli.ByteSize;
import java.util.List;

/** The sizes that can be measured with all buffers allocated at once. */
final class MemoryNeeds {

  /** Bytes that the pool's first extents cannot hold of a long copy, for each of its two pools. */
  private static final long POOL_SLACK = 1L << 30;

  private MemoryNeeds() {}

  /** Bytes of host memory for copies of this size: two buffers of each kind. */
  static long host(long size, List<String> kinds) {
    int blocks = 2 * kinds.size() + (kinds.contains(Transfers.HOST_ALLOC) ? 0 : 2);
    return blocks * size + (kinds.contains(Transfers.MOORING) ? 2 * POOL_SLACK : 0);
  }

  /**
   * The sizes that fit, ascending.
   *
   * @param hostBytes memory of the machine, of which half may be taken
   * @param deviceBytes memory of the device, of which three quarters may be taken
   */
  static List<ByteSize> fitting(
      List<ByteSize> sizes, List<String> kinds, long hostBytes, long deviceBytes) {
    return sizes.stream()
        .filter(size -> host(size.bytes(), kinds) <= hostBytes / 2)
        .filter(size -> 2 * size.bytes() <= deviceBytes / 4 * 3)
        .toList();
  }
}
