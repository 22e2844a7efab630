package io.mooring.cache;

import io.mooring.parquet.source.FileState;

/**
 * The limits of what a cache holds. Immutable.
 *
 * @param mostBytes that it holds at a time; 0 for a cache that is off
 * @param remoteFilesOnly whether local files are left out: while the page cache has them, a first
 *     scan loses about as much by filling the cache as a later one gains
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
   * Whether chunks of a file are kept. Never where a later write could leave the file in an equal
   * state.
   */
  public boolean allow(FileState file) {
    return mostBytes > 0 && !(remoteFilesOnly && file.isLocal()) && file.isSettled();
  }
}
