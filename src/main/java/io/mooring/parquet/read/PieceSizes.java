package io.mooring.parquet.read;

import io.mooring.memory.PinnedPool;
import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.source.FileRanges;
import io.mooring.parquet.source.UnitSources;
import java.util.List;

/** Bytes of a host buffer, which are copied to the device at once. */
final class PieceSizes {
  // With copies of 4 MiB the copy engine loses 4 to 7 % of its rate, with these nothing.
  private static final long MOST = 16L << 20;
  private static final long LEAST = 1L << 20;
  // A copy from pageable memory keeps its thread busy: several at a time are better.
  private static final long PAGEABLE = 4L << 20;
  private static final long PAGEABLE_REQUEST = 8L << 20;
  // A piece takes at most pool / IN_POOL bytes, but at least LEAST: a small pool has extents for
  // all.
  private static final int IN_POOL = 16;
  // The buffers of all requests to stores take at most pool / REQUESTS_IN_POOL bytes.
  private static final int REQUESTS_IN_POOL = 2;

  private static final long SHORT_PIECE = 1 << 20;

  private PieceSizes() {}

  /** Most bytes of a piece, for a unit that is started now. */
  static long pieceBytes() {
    return pieceBytes(PinnedPool.mostBytes(), PinnedPool.mostFallbackBytes());
  }

  /**
   * Most bytes of a piece.
   *
   * @param pool most bytes of the pool; 0 without a pool
   * @param fallback most bytes of pageable memory; 0 where pieces wait for the pool alone
   */
  static long pieceBytes(long pool, long fallback) {
    long bytes = pool == 0 ? PAGEABLE : Math.min(MOST, pool / IN_POOL);
    // A buffer that the pool has no room for has to fit into the fallback.
    return Math.max(LEAST, fallback == 0 ? bytes : Math.min(bytes, fallback));
  }

  /**
   * Most bytes of one request to a store: so many that the store spends most of the time sending,
   * and that all requests leave the pool room for results.
   *
   * @param requests most that are under way at a time
   */
  static long requestBytes(int requests) {
    return requestBytes(requests, PinnedPool.mostBytes(), PinnedPool.mostFallbackBytes());
  }

  /** Most bytes of one request, with a pool and a fallback as in {@link #pieceBytes}. */
  static long requestBytes(int requests, long pool, long fallback) {
    long bytes = pool == 0 ? PAGEABLE_REQUEST : Math.min(MOST, pool / REQUESTS_IN_POOL / requests);
    return Math.max(LEAST, fallback == 0 ? bytes : Math.min(bytes, fallback));
  }

  /** Most bytes of the buffers of all requests together. */
  static long allRequestsBytes(int requests) {
    long all = requests * requestBytes(requests);
    long pool = PinnedPool.mostBytes();
    return pool == 0 ? all : Math.min(all, pool / REQUESTS_IN_POOL);
  }

  /**
   * The pieces of ranges of files, in order.
   *
   * @param pieceBytes most bytes of a piece
   * @param requestBytes most bytes of a piece that is read by one request to a store
   */
  static List<FileRange> cut(
      List<FileRange> ranges, UnitSources sources, long pieceBytes, long requestBytes) {
    return ranges.stream()
        .flatMap(range -> cut(range, sources, pieceBytes, requestBytes).stream())
        .toList();
  }

  private static List<FileRange> cut(
      FileRange range, UnitSources sources, long pieceBytes, long requestBytes) {
    // Short requests at the ends would each cost as much time as the first byte of a long one.
    if (sources.byRequests(range)) {
      return FileRanges.cutEvenly(range, requestBytes);
    }
    long most = Math.min(pieceBytes, sources.pieceBytes(range));
    // A very short piece would not be kept by the cache, and its column chunk not be served.
    return range.length() > most && range.length() % most < SHORT_PIECE
        ? FileRanges.cutEvenly(range, most)
        : FileRanges.cut(range, most);
  }
}
