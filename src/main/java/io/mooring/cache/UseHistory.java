package io.mooring.cache;

import io.mooring.cache.ChunkRead.ChunkName;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * When column chunks were last used, cached or not. The clock counts bytes that scans needed, so
 * that the time between two uses is the size of a cache that holds everything in between. Not
 * thread-safe.
 */
final class UseHistory {
  /** The last use of a chunk that was never used. */
  static final long NEVER = -1;

  // Some 150 bytes of heap each.
  private static final int MOST = 1 << 16;
  // A larger cache is not advised for a chunk whose uses lie this many cache sizes apart.
  private static final long MOST_ADVISED = 16;

  private final Map<ChunkName, Long> uses = new LinkedHashMap<>(16, 0.75f, true);
  private long now;
  private long enoughBytes;

  /** Notes a use of so many bytes; returns when the chunk was used before. */
  long use(ChunkName chunk, long bytes) {
    now += bytes;
    Long before = uses.put(chunk, now);
    if (uses.size() > MOST) {
      var oldest = uses.entrySet().iterator();
      oldest.next();
      oldest.remove();
    }
    return before == null ? NEVER : before;
  }

  /**
   * Notes that a cache did not have a chunk.
   *
   * @param before when the chunk was used before
   * @param cacheBytes the size of the cache
   */
  void missed(long before, long cacheBytes) {
    long since = now - before;
    if (before != NEVER && since > cacheBytes && since / cacheBytes < MOST_ADVISED) {
      enoughBytes = Math.max(enoughBytes, since);
    }
  }

  /** The size that would have served every chunk that was read again; 0 where it is enough. */
  long enoughBytes() {
    return enoughBytes;
  }

  long now() {
    return now;
  }
}
