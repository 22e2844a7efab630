package io.mooring.parquet.read;

import io.mooring.cache.CacheFill;
import io.mooring.cache.ChunkCache;
import io.mooring.cache.ChunkLookup;
import io.mooring.cache.ChunkRead;
import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.source.FileSequence;
import io.mooring.parquet.source.FileState;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.parquet.source.StoreThreads;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.unit.ScanCounters.Counter;
import io.mooring.parquet.verify.PageChecks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;

/**
 * Looks the units of one task up in the cache. Each file's state is asked for once, so that all
 * units of the task are of that state. Belongs to the task's thread.
 */
final class CacheReader {
  private static final long CHECK_MILLIS = 100;

  private final ChunkCache cache;
  private final PageChecks checks;
  private final Configuration conf;
  private final ScanCounters counters;
  private final Runnable stillWanted;
  private final Map<ParquetFile, FutureTask<FileState>> states = new HashMap<>();

  /**
   * @param stillWanted called now and then while the task waits for a store; throws where it is
   *     killed
   */
  CacheReader(
      ChunkCache cache,
      PageChecks checks,
      Configuration conf,
      ScanCounters counters,
      Runnable stillWanted) {
    this.cache = cache;
    this.checks = checks;
    this.conf = conf;
    this.counters = counters;
    this.stillWanted = stillWanted;
  }

  /** Begins to ask stores for the states of files, so that no unit waits for those of its own. */
  void begin(List<ParquetFile> files) {
    if (cache.isOn()) {
      for (ParquetFile file : files) {
        states.computeIfAbsent(file, it -> StoreThreads.begin(it, conf, () -> told(it)));
      }
    }
  }

  /**
   * Looks up a unit's column chunks in the cache.
   *
   * @throws IOException when a file is not there any more, or has changed since it was listed
   */
  CachedParts find(ReadUnit unit) throws IOException {
    if (!cache.isOn()) {
      return CachedParts.NONE;
    }
    List<FileState> files = states(unit.files().files());
    if (files.stream().noneMatch(cache::allows)) {
      return CachedParts.NONE;
    }
    Map<ColumnChunkMetaData, ChunkLookup> hits = new IdentityHashMap<>();
    List<ChunkLookup> misses = new ArrayList<>();
    for (ColumnChunkMetaData chunk : unit.columnChunks().toList()) {
      FileState file = files.get(unit.files().indexAt(chunk.getStartingPos()));
      // Without values there may be no pages, and writers give them any offset.
      if (chunk.getValueCount() > 0 && cache.allows(file)) {
        ChunkLookup found = cache.find(read(unit, chunk, file), checks);
        if (found.isHit()) {
          hits.put(chunk, found);
        } else {
          misses.add(found);
        }
      }
    }
    CachedParts parts = CachedParts.of(unit, files, hits, new CacheFill(cache, misses, checks));
    counters.add(Counter.CACHE_HITS, hits.size());
    counters.add(Counter.CACHE_MISSES, misses.size());
    counters.add(Counter.CACHED_BYTES, parts.bytes());
    return parts;
  }

  private static ChunkRead read(ReadUnit unit, ColumnChunkMetaData chunk, FileState file) {
    FileSequence files = unit.files();
    long start = files.position(chunk.getStartingPos()).offset();
    List<FileRange> ranges = unit.ranges(chunk).stream().map(files::inFile).toList();
    return new ChunkRead(file, chunk.getPath(), start, ranges);
  }

  private List<FileState> states(List<ParquetFile> files) throws IOException {
    begin(files);
    List<FileState> found = new ArrayList<>();
    for (ParquetFile file : files) {
      found.add(state(file, Objects.requireNonNull(states.get(file))));
    }
    return found;
  }

  /** Waits for a state; one that could not be read is read again the next time. */
  private FileState state(ParquetFile file, FutureTask<FileState> asked) throws IOException {
    asked.run();
    try {
      return result(asked);
    } catch (IOException e) {
      states.remove(file);
      throw e;
    }
  }

  private FileState told(ParquetFile file) throws IOException {
    FileState before = FileState.beforeReading(file, conf);
    return cache.hasSome(before) ? FileState.now(file, conf, counters) : before;
  }

  private FileState result(FutureTask<FileState> asked) throws IOException {
    while (true) {
      try {
        return asked.get(CHECK_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        stillWanted.run();
      } catch (ExecutionException e) {
        if (e.getCause() instanceof IOException io) {
          throw io;
        }
        throw new IOException("The state of a file could not be read", e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("Interrupted while reading the state of a file", e);
      }
    }
  }
}
