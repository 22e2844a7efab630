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

  private final Map<ChunkName, Long> uses = new LinkedHashMap<>(16, 0.75f, true);
  private long now;

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

  long now() {
    return now;
  }
}
