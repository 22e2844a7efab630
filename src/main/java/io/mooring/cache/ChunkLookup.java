package io.mooring.cache;

import io.mooring.memory.EvictableBuffer;
import io.mooring.parquet.source.FileRange;
import java.util.List;

/**
 * The cache's answer for one column chunk.
 *
 * @param cached all bytes that were asked for, in order, in acquired buffers; empty for a miss
 * @param lastUse when the chunk was used before, in the cache's own time
 */
public record ChunkLookup(ChunkRead read, List<CachedRange> cached, long lastUse) {
  /** Whether the cache has it. */
  public boolean isHit() {
    return !cached.isEmpty();
  }

  /** Lets the buffers go; no copy from them is in flight. */
  public void release() {
    cached.forEach(range -> range.buffer().release());
  }

  /**
   * Bytes of a file in an acquired buffer, which the reader releases.
   *
   * @param range of the file
   * @param address of its first byte
   */
  public record CachedRange(FileRange range, long address, EvictableBuffer buffer) {}
}
