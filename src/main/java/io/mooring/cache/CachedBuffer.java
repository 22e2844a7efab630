package io.mooring.cache;

import io.mooring.cache.ChunkLookup.CachedRange;
import io.mooring.memory.EvictableBuffer;
import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.source.FileState;
import java.util.HashSet;
import java.util.Set;

/** A buffer of the cache, with bytes of one file. Guarded by the cache's monitor. */
final class CachedBuffer {
  private final FileState file;
  private final FileRange range;
  private final EvictableBuffer memory;

  /** The chunks that need it; empty until their pages have been verified. */
  private final Set<CachedChunk> chunks = new HashSet<>();

  private long lastUse;

  CachedBuffer(FileState file, FileRange range, EvictableBuffer memory, long lastUse) {
    this.file = file;
    this.range = range;
    this.memory = memory;
    this.lastUse = lastUse;
  }

  FileState file() {
    return file;
  }

  FileRange range() {
    return range;
  }

  EvictableBuffer memory() {
    return memory;
  }

  Set<CachedChunk> chunks() {
    return chunks;
  }

  long lastUse() {
    return lastUse;
  }

  void use(long now) {
    lastUse = now;
  }

  /** The part of a range that it holds. */
  CachedRange part(FileRange wanted) {
    long from = Math.max(range.offset(), wanted.offset());
    long end = Math.min(range.end(), wanted.end());
    return new CachedRange(
        new FileRange(from, end - from), memory.address() + from - range.offset(), memory);
  }
}
