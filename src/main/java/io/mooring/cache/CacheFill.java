package io.mooring.cache;

import io.mooring.memory.HostBuffer;
import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.source.FileState;
import io.mooring.parquet.verify.PageChecks;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The buffers of one unit that go to the cache. Each is added as soon as it has been uploaded: the
 * pool can then evict it, so that no allocation waits for it. The cache serves the buffers only
 * after all pages of the unit have been verified. Thread-safe.
 */
public final class CacheFill {
  private final ChunkCache cache;
  private final PageChecks checks;
  private final List<ChunkLookup> misses;
  private final List<CachedBuffer> unpublished = new ArrayList<>();
  private boolean isOver;

  /**
   * @param misses the column chunks that the unit reads because they are not cached; the cache
   *     allows their files
   * @param checks the checks that the pages have passed before {@link #publish}
   */
  public CacheFill(ChunkCache cache, List<ChunkLookup> misses, PageChecks checks) {
    this.cache = cache;
    this.checks = checks;
    this.misses = misses;
  }

  /**
   * Takes over a buffer that was read from a range of a file, and has been uploaded: no copy of it
   * is in flight. Closes it where the cache has no use for it.
   */
  public void add(FileState file, FileRange range, HostBuffer buffer) {
    long lastUse = Long.MIN_VALUE;
    for (ChunkLookup miss : misses) {
      if (miss.read().file().equals(file) && miss.read().overlaps(range)) {
        lastUse = Math.max(lastUse, miss.lastUse());
      }
    }
    CachedBuffer added = null;
    if (lastUse == Long.MIN_VALUE) {
      buffer.close();
    } else {
      added = cache.keep(file, range, buffer, lastUse);
    }
    if (added != null) {
      add(added);
    }
  }

  private synchronized void add(CachedBuffer added) {
    if (isOver) {
      cache.giveUp(List.of(added));
    } else {
      unpublished.add(added);
    }
  }

  /** Has the cache serve the chunks: all pages of the unit have been verified. */
  public synchronized void publish() {
    if (!isOver) {
      isOver = true;
      unpublished.sort(Comparator.comparingLong(buffer -> buffer.range().offset()));
      cache.publish(misses.stream().map(ChunkLookup::read).toList(), checks, unpublished);
      unpublished.clear();
    }
  }

  /** Gives unpublished buffers back to the pool, and so any that is added later. */
  public synchronized void giveUp() {
    isOver = true;
    cache.giveUp(unpublished);
    unpublished.clear();
  }
}
