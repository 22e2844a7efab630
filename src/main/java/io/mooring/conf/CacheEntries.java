package io.mooring.conf;

import static io.mooring.conf.ConfEntry.entry;
import static io.mooring.conf.ConfType.autoOr;

import java.util.OptionalLong;

/** Settings of the cache of column chunks. */
public final class CacheEntries {
  /** Bytes; empty for auto. */
  public static final ConfEntry<OptionalLong> SIZE =
      entry("cache.size", autoOr(ConfType.POOL_SIZE))
          .doc(
              "Most of the pinned pool that may hold encoded column chunks of the files"
                  + " that were read last, so that later scans upload them without reading."
                  + " Anything else that needs the memory takes it from the cache, without a"
                  + " wait. `auto` is "
                  + AutoDefaults.CACHE_PERCENT
                  + " % of `spark.mooring.pinnedPool.size`, for files that are not local; a size"
                  + " sets the limit, and includes local files; the pool does not grow for it;"
                  + " `0` is no cache. See [cache.md](cache.md).")
          .defaultsTo("auto");

  private CacheEntries() {}
}
