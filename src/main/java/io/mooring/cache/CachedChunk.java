package io.mooring.cache;

import io.mooring.cache.ChunkLookup.CachedRange;
import io.mooring.memory.EvictableBuffer;
import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.verify.PageChecks;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A column chunk whose pages have been verified and lie in buffers of the cache. Compared by
 * identity; guarded by the cache's monitor.
 */
final class CachedChunk {
  private final ChunkRead read;
  private final PageChecks checks;
  private final List<CachedBuffer> buffers;

  private CachedChunk(ChunkRead read, PageChecks checks, List<CachedBuffer> buffers) {
    this.read = read;
    this.checks = checks;
    this.buffers = buffers;
  }

  /**
   * The chunk out of buffers of its file, in the order of the file; null where bytes are missing.
   */
  static @Nullable CachedChunk of(ChunkRead read, PageChecks checks, List<CachedBuffer> buffers) {
    List<CachedBuffer> needed = needed(read, buffers);
    boolean complete = read.ranges().stream().allMatch(range -> isCovered(range, needed));
    return complete ? new CachedChunk(read, checks, needed) : null;
  }

  /** The buffers with bytes that those before them lack: a unit may have read a chunk twice. */
  private static List<CachedBuffer> needed(ChunkRead read, List<CachedBuffer> inOrder) {
    List<CachedBuffer> needed = new ArrayList<>();
    long end = 0;
    for (CachedBuffer buffer : inOrder) {
      if (read.overlaps(buffer.range()) && buffer.range().end() > end) {
        needed.add(buffer);
        end = buffer.range().end();
      }
    }
    return needed;
  }

  private static boolean isCovered(FileRange range, List<CachedBuffer> inOrder) {
    long at = range.offset();
    for (CachedBuffer buffer : inOrder) {
      if (buffer.range().offset() <= at) {
        at = Math.max(at, buffer.range().end());
      }
    }
    return at >= range.end();
  }

  ChunkRead read() {
    return read;
  }

  List<CachedBuffer> buffers() {
    return buffers;
  }

  /** Whether it has what a scan needs, verified as the scan wants it. */
  boolean serves(ChunkRead wanted, PageChecks wantedChecks) {
    return checks.compareTo(wantedChecks) <= 0
        && wanted.ranges().stream()
            .allMatch(
                range ->
                    read.ranges().stream()
                        .anyMatch(own -> own.contains(range.offset(), range.length())));
  }

  /** Acquires every buffer; false, with none acquired, where the pool has taken one. */
  boolean acquire() {
    List<EvictableBuffer> acquired = new ArrayList<>();
    for (CachedBuffer buffer : buffers) {
      if (!buffer.memory().acquire()) {
        acquired.forEach(EvictableBuffer::release);
        return false;
      }
      acquired.add(buffer.memory());
    }
    return true;
  }

  /**
   * The bytes that a scan needs, in order, with the buffer of each part acquired once; releases
   * what {@link #acquire} has acquired.
   */
  List<CachedRange> acquiredParts(ChunkRead wanted) {
    List<CachedRange> parts = wanted.ranges().stream().flatMap(it -> parts(it).stream()).toList();
    parts.forEach(part -> part.buffer().acquire());
    buffers.forEach(buffer -> buffer.memory().release());
    return parts;
  }

  private List<CachedRange> parts(FileRange range) {
    List<CachedRange> parts = new ArrayList<>();
    for (CachedBuffer buffer : buffers) {
      CachedRange part =
          range.offset() < buffer.range().end() && buffer.range().offset() < range.end()
              ? buffer.part(range)
              : null;
      if (part != null) {
        parts.add(part);
      }
    }
    return parts;
  }
}
