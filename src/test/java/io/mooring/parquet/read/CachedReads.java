package io.mooring.parquet.read;

import io.mooring.cache.ChunkCache;
import io.mooring.memory.HostBuffer;
import io.mooring.memory.HostMemory;
import io.mooring.parquet.files.ParquetFiles;
import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.footer.Footers;
import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.parquet.source.UnitSources;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.unit.UnitPlanner;
import io.mooring.parquet.verify.PageChecks;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

/** Look-ups and reads of units by way of a cache, as tasks do them, without a GPU. Thread-safe. */
record CachedReads(ChunkCache cache, ScanCounters counters) {
  /** A unit of some columns of all row groups. */
  static ReadUnit unit(ParquetFile file, List<String> columns, long mergeDistance)
      throws Exception {
    Footer footer = Footers.read(file);
    List<Integer> rowGroups = IntStream.range(0, footer.rowGroups().size()).boxed().toList();
    return new UnitPlanner(file, footer, columns, Long.MAX_VALUE, mergeDistance)
        .plan(rowGroups)
        .get(0);
  }

  /** Looks a unit up, as the first one of a task. */
  CachedParts find(ReadUnit unit) throws IOException {
    return new CacheReader(cache, PageChecks.CHECKSUMS, ParquetFiles.CONF, counters, () -> {})
        .find(unit);
  }

  /** Reads what is not cached, as I/O threads do, and has the cache serve it. */
  void read(ReadUnit unit) throws IOException {
    readRest(unit, find(unit));
  }

  /** Reads what was not found, and releases what was. */
  void readRest(ReadUnit unit, CachedParts parts) throws IOException {
    List<FileRange> toRead =
        unit.ranges().stream().flatMap(range -> parts.toRead(range).stream()).toList();
    try (UnitSources sources =
        UnitSources.open(unit.files(), toRead, ParquetFiles.CONF, counters)) {
      parts.checkUnchanged(ParquetFiles.CONF);
      for (FileRange range : toRead) {
        parts.keep(range, read(sources, range));
      }
      parts.publish();
    } finally {
      parts.giveUp();
      parts.release();
    }
  }

  private static HostBuffer read(UnitSources sources, FileRange range) throws IOException {
    HostBuffer buffer = HostMemory.allocate(range.length());
    try {
      sources.readFully(range, buffer.address());
      return buffer;
    } catch (IOException | RuntimeException e) {
      buffer.close();
      throw e;
    }
  }
}
