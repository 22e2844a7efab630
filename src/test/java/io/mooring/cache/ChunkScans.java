package io.mooring.cache;

import io.mooring.jni.FileJni;
import io.mooring.memory.HostBuffer;
import io.mooring.memory.HostMemory;
import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.source.FileState;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.parquet.verify.PageChecks;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.hadoop.metadata.ColumnPath;

/** Scans of chunks of files that do not exist, through a cache. */
final class ChunkScans {
  static final long MIB = 1 << 20;
  static final ColumnPath COLUMN = ColumnPath.get("v");

  private ChunkScans() {}

  static FileState file(String path, long time) {
    return new FileState(new ParquetFile(path, 1 << 30, time), 7, time * 1_000_000, null);
  }

  static ChunkRead read(FileState file, long start, long bytes) {
    return new ChunkRead(file, COLUMN, start, List.of(new FileRange(start, bytes)));
  }

  static HostBuffer filled(long bytes, int value) {
    HostBuffer buffer = HostMemory.allocate(bytes);
    FileJni.view(buffer.address(), bytes).put(0, (byte) value).put((int) bytes - 1, (byte) value);
    return buffer;
  }

  /** Looks a chunk up and, where it is not cached, reads it in pieces. */
  static boolean scan(ChunkCache cache, ChunkRead read, long piece) {
    ChunkLookup found = cache.find(read, PageChecks.CHECKSUMS);
    found.release();
    if (!found.isHit()) {
      fill(cache, found, piece).publish();
    }
    return found.isHit();
  }

  static CacheFill fill(ChunkCache cache, ChunkLookup miss, long piece) {
    CacheFill fill = new CacheFill(cache, List.of(miss), PageChecks.CHECKSUMS);
    for (FileRange range : miss.read().ranges()) {
      for (long at = range.offset(); at < range.end(); at += piece) {
        long bytes = Math.min(piece, range.end() - at);
        fill.add(miss.read().file(), new FileRange(at, bytes), filled(bytes, (int) (at / MIB)));
      }
    }
    return fill;
  }

  static FileState remote(String path) {
    return new FileState(new ParquetFile(path, 1 << 30, 1), 0, 0, null);
  }

  /** Takes what there is of the pool, in buffers of 1 MiB. */
  static List<HostBuffer> takePool() {
    List<HostBuffer> buffers = new ArrayList<>();
    for (HostBuffer buffer = HostMemory.tryAllocatePinned(MIB);
        buffer != null;
        buffer = HostMemory.tryAllocatePinned(MIB)) {
      buffers.add(buffer);
    }
    return buffers;
  }
}
