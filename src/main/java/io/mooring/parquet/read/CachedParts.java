package io.mooring.parquet.read;

import io.mooring.cache.CacheFill;
import io.mooring.cache.ChunkLookup;
import io.mooring.cache.ChunkLookup.CachedRange;
import io.mooring.memory.HostBuffer;
import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.source.FileSequence;
import io.mooring.parquet.source.FileState;
import io.mooring.parquet.unit.ReadUnit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.jspecify.annotations.Nullable;

/**
 * The column chunks of one unit that are uploaded from the cache, and what the cache is to keep of
 * the others. Ranges are addresses in the unit's files. Thread-safe.
 */
final class CachedParts {
  /** Bytes in an acquired buffer of the cache. */
  record Part(FileRange range, long address) {}

  /** No cached parts, for a unit whose bytes the cache does not take either. */
  static final CachedParts NONE =
      new CachedParts(FileSequence.of(List.of()), List.of(), Map.of(), null);

  private final FileSequence addresses;
  private final List<FileState> files;
  private final Map<ColumnChunkMetaData, ChunkLookup> hits;
  private final @Nullable CacheFill fill;
  private final List<Part> parts = new ArrayList<>();

  /** The bytes that the unit needs of chunks which are not cached. */
  private final List<FileRange> needed = new ArrayList<>();

  private boolean isReleased;

  private CachedParts(
      FileSequence addresses,
      List<FileState> files,
      Map<ColumnChunkMetaData, ChunkLookup> hits,
      @Nullable CacheFill fill) {
    this.addresses = addresses;
    this.files = files;
    this.hits = hits;
    this.fill = fill;
    hits.forEach(
        (chunk, hit) -> {
          long start = addresses.starts().get(addresses.indexAt(chunk.getStartingPos()));
          hit.cached().forEach(cached -> parts.add(part(cached, start)));
        });
    parts.sort(Comparator.comparingLong(part -> part.range().offset()));
  }

  /**
   * The parts of a unit that are cached.
   *
   * @param files of the unit, in order
   * @param hits of the unit's column chunks, compared by identity: a file may come twice. {@link
   *     #release} releases their buffers.
   * @param fill takes what is read
   */
  static CachedParts of(
      ReadUnit unit,
      List<FileState> files,
      Map<ColumnChunkMetaData, ChunkLookup> hits,
      CacheFill fill) {
    CachedParts parts = new CachedParts(unit.files(), files, hits, fill);
    unit.columnChunks()
        .filter(chunk -> !parts.has(chunk))
        .forEach(chunk -> parts.needed.addAll(unit.ranges(chunk)));
    return parts;
  }

  private static Part part(CachedRange cached, long startOfFile) {
    FileRange range = cached.range();
    return new Part(new FileRange(startOfFile + range.offset(), range.length()), cached.address());
  }

  /** Whether nothing is cached of the unit. */
  boolean isEmpty() {
    return parts.isEmpty();
  }

  /** The cached bytes, in order. */
  List<Part> parts() {
    return parts;
  }

  /** Whether a column chunk is cached, and so verified. */
  boolean has(ColumnChunkMetaData chunk) {
    return hits.containsKey(chunk);
  }

  /** Bytes that need not be read. */
  long bytes() {
    return hits.values().stream().mapToLong(hit -> hit.read().bytes()).sum();
  }

  /**
   * The ranges to read of one of the unit's ranges. A gap between two cached chunks is read only
   * where it holds other chunks.
   */
  List<FileRange> toRead(FileRange range) {
    if (isEmpty()) {
      return List.of(range);
    }
    List<FileRange> toRead = new ArrayList<>();
    long at = range.offset();
    for (Part part : parts) {
      if (range.contains(part.range().offset(), part.range().length())) {
        addNeeded(at, Math.max(at, part.range().offset()), toRead);
        at = Math.max(at, part.range().end());
      }
    }
    addNeeded(at, range.end(), toRead);
    return toRead;
  }

  /** Adds what lies from the first needed byte to the last, between two offsets. */
  private void addNeeded(long from, long end, List<FileRange> toRead) {
    long first = end;
    long last = from;
    for (FileRange range : needed) {
      if (range.offset() < end && from < range.end()) {
        first = Math.min(first, Math.max(from, range.offset()));
        last = Math.max(last, Math.min(end, range.end()));
      }
    }
    if (first < last) {
      toRead.add(new FileRange(first, last - first));
    }
  }

  /**
   * Checks, once the files are open for what has to be read, that they are those of the cached
   * bytes.
   *
   * @throws IOException when a file has been replaced since it was looked up
   */
  void checkUnchanged(Configuration conf) throws IOException {
    for (FileState state :
        Set.copyOf(hits.values().stream().map(hit -> hit.read().file()).toList())) {
      if (!FileState.beforeReading(state.file(), conf).equals(state)) {
        throw new IOException(state.file().path() + " was written again while it was read");
      }
    }
  }

  /** Takes over a buffer that was read from a range and has been uploaded. */
  void keep(FileRange range, HostBuffer buffer) {
    if (fill == null) {
      buffer.close();
    } else {
      FileState file = files.get(addresses.indexAt(range.offset()));
      fill.add(file, addresses.inFile(range), buffer);
    }
  }

  /** Has the cache serve what was kept: the pages of the unit have been verified. */
  void publish() {
    if (fill != null) {
      fill.publish();
    }
  }

  /** Gives back what was kept and not published. */
  void giveUp() {
    if (fill != null) {
      fill.giveUp();
    }
  }

  /** Lets the cached bytes go, once: no copy from them is in flight. */
  synchronized void release() {
    if (!isReleased) {
      isReleased = true;
      hits.values().forEach(ChunkLookup::release);
    }
  }
}
