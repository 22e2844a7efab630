package io.mooring.parquet.footer;

import io.mooring.cache.ChunkCache;
import io.mooring.parquet.source.FileState;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.parquet.source.RequestCounts;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * The footers that were read last, by the states of their files. Thread-safe: when several threads
 * miss the same footer, one reads it at a time.
 */
public final class FooterCache {
  // Parsed, a footer and its page indexes take about 16 times its Thrift bytes: the cache takes at
  // most a tenth of the heap.
  private static final long MAX_BYTES = 16L << 20;
  private static final long HEAP_SHARE = 160;

  private static final FooterCache SHARED =
      new FooterCache(Math.min(MAX_BYTES, Runtime.getRuntime().maxMemory() / HEAP_SHARE));

  private final long maxBytes;
  private final Map<FileState, Footer> footers = new LinkedHashMap<>(16, 0.75f, true);
  // The lock of each footer that is being read; others that want the same wait for it.
  private final Map<FileState, Object> reading = new ConcurrentHashMap<>();
  private long bytes;

  FooterCache(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** The cache of this process. */
  public static FooterCache shared() {
    return SHARED;
  }

  /** The footer of a file, without counting requests. */
  public Footer footer(ParquetFile file, Configuration conf)
      throws IOException, UnreadableOnGpuException {
    return footer(file, conf, RequestCounts.NONE);
  }

  /** The footer of a file, read if it is not cached; exceptions as {@link FooterReader#read}. */
  public Footer footer(ParquetFile file, Configuration conf, RequestCounts counts)
      throws IOException, UnreadableOnGpuException {
    return footer(file, conf, counts, false).footer();
  }

  /**
   * A footer.
   *
   * @param isCurrent whether the file has it now; it may have been replaced since the footer was
   *     read otherwise, which reading its column chunks would find
   */
  public record Found(Footer footer, boolean isCurrent) {}

  /**
   * The footer of a file whose column chunks will most likely be read, too.
   *
   * @param whole whether a small file in a store is read whole, also if its footer is cached, but
   *     not if its column chunks are
   */
  public Found footer(ParquetFile file, Configuration conf, RequestCounts counts, boolean whole)
      throws IOException, UnreadableOnGpuException {
    FileState ofUser = FileState.beforeReading(file, conf);
    FileState state = ofUser.forAllUsers();
    boolean wanted = whole && !state.isLocal() && !ChunkCache.shared().hasSome(ofUser);
    Footer held = find(state);
    if (held == null) {
      try {
        synchronized (reading.computeIfAbsent(state, key -> new Object())) {
          held = find(state);
          if (held == null) {
            return new Found(readAndKeep(state, conf, counts, wanted), true);
          }
        }
      } finally {
        reading.remove(state);
      }
    }
    return wanted ? readWhole(state, held, conf, counts) : new Found(held, state.isLocal());
  }

  private Found readWhole(FileState file, Footer known, Configuration conf, RequestCounts counts)
      throws IOException, UnreadableOnGpuException {
    Footer read = FooterReader.readWhole(file.file(), known, conf, counts);
    // Another footer is not cached: the file is not the listed one, and may yet be that again.
    return new Found(read, read != known);
  }

  private Footer readAndKeep(
      FileState file, Configuration conf, RequestCounts counts, boolean whole)
      throws IOException, UnreadableOnGpuException {
    Footer read = FooterReader.read(file.file(), conf, counts, whole);
    // A store may list the next write of the same second as the same file.
    if (file.isLocal() || file.isSettled()) {
      keep(file, read);
    }
    return read;
  }

  private synchronized @Nullable Footer find(FileState file) {
    return footers.get(file);
  }

  private synchronized void keep(FileState file, Footer footer) {
    Footer replaced = footers.put(file, footer);
    bytes += footer.thrift().length - (replaced == null ? 0 : replaced.thrift().length);
    var eldest = footers.entrySet().iterator();
    while (bytes > maxBytes && footers.size() > 1) {
      bytes -= eldest.next().getValue().thrift().length;
      eldest.remove();
    }
  }
}
