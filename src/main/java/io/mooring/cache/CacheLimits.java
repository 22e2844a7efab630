package io.mooring.cache;

import io.mooring.parquet.source.FileState;

/**
 * The limits of a cache. Immutable.
 *
 * @param mostBytes the most bytes that the cache holds at a time; 0 turns the cache off
 * @param remoteFilesOnly whether local files are left out: while the page cache has a local file,
 *     filling the cache costs the first scan about as much time as a later scan saves
 */
public record CacheLimits(long mostBytes, boolean remoteFilesOnly) {
  /** The limits of a cache whose size the user has set. */
  public static CacheLimits ofAllFiles(long mostBytes) {
    return new CacheLimits(mostBytes, false);
  }

  /** The limits of a cache that takes what memory is left. */
  public static CacheLimits ofRemoteFiles(long mostBytes) {
    return new CacheLimits(mostBytes, true);
  }

  /**
   * Whether the cache may hold chunks of a file. A file that has only just been written is refused:
   * a later write could leave it in an equal state.
   */
  public boolean allow(FileState file) {
    return mostBytes > 0 && !(remoteFilesOnly && file.isLocal()) && file.isSettled();
  }
}
