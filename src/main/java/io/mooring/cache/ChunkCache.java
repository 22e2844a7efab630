package io.mooring.cache;

import io.mooring.cache.ChunkLookup.CachedRange;
import io.mooring.memory.EvictableBuffer;
import io.mooring.memory.HostBuffer;
import io.mooring.memory.PinnedPool;
import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.source.FileState;
import io.mooring.parquet.verify.PageChecks;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The column chunks that were read last, encoded and verified, in evictable buffers of the pool:
 * any allocation that finds no room takes them at once. A chunk is served only to scans that need
 * the same state of its file.
 *
 * <p>When the cache is full, a new buffer replaces the least recently used ones only if its own
 * chunks have been used later than theirs, so that scans of more than the cache holds do not change
 * it. Chunks of local files must have been used much later than those of remote ones. Thread-safe.
 */
public final class ChunkCache {
  /** The cache that holds nothing. */
  public static final ChunkCache OFF = new ChunkCache(CacheLimits.ofAllFiles(0));

  private static final long NANOS_AFTER_PRESSURE = 10_000_000_000L;
  // Tasks of a scan run in a slightly different order each time: chunks due next must stay.
  private static final int MARGIN_SHARE = 8;
  // Reading a remote chunk again costs far more than reading a local one.
  private static final int MARGIN_SHARE_OF_REMOTE_FOR_LOCAL = 2;
  private static final int MARGIN_SHARE_OF_LOCAL_FOR_REMOTE = 32;

  private static volatile ChunkCache shared = OFF;

  private final CacheLimits limits;
  private final long mostBytes;
  private final CachedFiles files = new CachedFiles();
  private final Map<Long, CachedBuffer> buffers = new LinkedHashMap<>(16, 0.75f, true);
  private final UseHistory history = new UseHistory();
  private long bytes;
  private long bytesUnderPressure;
  private long pressureEnds;
  private long hits;
  private long misses;
  private long hitBytes;
  private long replacedBytes;
  private long changedBytes;

  /** An empty cache. */
  public ChunkCache(CacheLimits limits) {
    this.limits = limits;
    this.mostBytes = limits.mostBytes();
    this.pressureEnds = System.nanoTime();
  }

  /** The cache of this process: {@link #OFF} until {@link #share}. */
  public static ChunkCache shared() {
    return shared;
  }

  /** Makes the cache of this process, which uses the pool from here on. */
  public static ChunkCache share(CacheLimits limits) {
    shared = new ChunkCache(limits);
    return shared;
  }

  /** Whether it ever holds anything. */
  public boolean isOn() {
    return mostBytes > 0;
  }

  /** Whether it may hold chunks of a file. */
  public boolean allows(FileState file) {
    return limits.allow(file);
  }

  /** Whether it has chunks of a file, in whatever state. */
  public synchronized boolean hasSome(FileState file) {
    dropTaken();
    return files.has(file);
  }

  /** Looks a chunk up for a scan. A hit holds acquired buffers, which the caller releases. */
  public synchronized ChunkLookup find(ChunkRead read, PageChecks checks) {
    dropTaken();
    files.otherStates(read.file()).forEach(this::dropChanged);
    long before = history.use(read.name(), read.bytes());
    CachedChunk chunk = files.get(read.name());
    if (chunk != null && chunk.serves(read, checks) && chunk.acquire()) {
      return hit(read, chunk, before);
    }
    misses++;
    history.missed(before, mostBytes);
    return new ChunkLookup(read, List.of(), before);
  }

  private ChunkLookup hit(ChunkRead read, CachedChunk chunk, long before) {
    hits++;
    hitBytes += read.bytes();
    List<CachedRange> parts = chunk.acquiredParts(read);
    chunk.buffers().forEach(this::use);
    return new ChunkLookup(read, parts, before);
  }

  private void use(CachedBuffer buffer) {
    buffer.use(history.now());
    // Moves it to the end.
    buffers.get(buffer.memory().id());
  }

  /**
   * Takes a buffer over whose bytes have been read, and closes it where it is not kept. Nobody is
   * given the bytes before {@link #publish}.
   *
   * @param lastUse when one of its chunks was used before
   */
  synchronized @Nullable CachedBuffer keep(
      FileState file, FileRange range, HostBuffer buffer, long lastUse) {
    dropTaken();
    EvictableBuffer evictable =
        makeRoom(file, buffer.length(), lastUse) ? buffer.makeEvictable() : null;
    if (evictable == null) {
      buffer.close();
      return null;
    }
    CachedBuffer added = new CachedBuffer(file, range, evictable, history.now());
    buffers.put(evictable.id(), added);
    bytes += evictable.length();
    return added;
  }

  private boolean makeRoom(FileState file, long more, long lastUse) {
    long tooMany = bytes + more - limit();
    List<CachedBuffer> leaving = new ArrayList<>();
    Iterator<CachedBuffer> oldest = buffers.values().iterator();
    while (tooMany > 0) {
      CachedBuffer next = oldest.hasNext() ? oldest.next() : null;
      if (next == null || next.lastUse() + margin(next.file(), file) >= lastUse) {
        return false;
      }
      leaving.add(next);
      tooMany -= next.memory().length();
    }
    for (CachedBuffer buffer : leaving) {
      if (buffers.containsKey(buffer.memory().id())) {
        replacedBytes += buffer.memory().length();
        drop(buffer);
      }
    }
    return true;
  }

  /**
   * The distance by which the last use of a chunk must be later than that of the chunk it replaces,
   * in bytes that scans needed.
   */
  private long margin(FileState replaced, FileState by) {
    int share =
        replaced.isLocal() == by.isLocal()
            ? MARGIN_SHARE
            : by.isLocal() ? MARGIN_SHARE_OF_REMOTE_FOR_LOCAL : MARGIN_SHARE_OF_LOCAL_FOR_REMOTE;
    return mostBytes / share;
  }

  /**
   * The size limit in bytes. After the pool has evicted buffers, the limit is for some seconds what
   * they left: otherwise the pool would evict again and again.
   */
  private long limit() {
    boolean isUnderPressure = pressureEnds - System.nanoTime() > 0;
    return isUnderPressure ? Math.min(mostBytes, bytesUnderPressure) : mostBytes;
  }

  /**
   * Serves chunks from now on out of buffers that {@link #keep} has given; their pages have been
   * verified. Buffers that no chunk needs are given back.
   *
   * @param added in the order of their files
   */
  synchronized void publish(List<ChunkRead> reads, PageChecks checks, List<CachedBuffer> added) {
    dropTaken();
    List<CachedBuffer> left =
        added.stream().filter(buffer -> buffers.containsKey(buffer.memory().id())).toList();
    for (ChunkRead read : reads) {
      CachedChunk before = files.get(read.name());
      boolean isServed = before != null && before.serves(read, checks);
      boolean isOfOtherState = !files.otherStates(read.file()).isEmpty();
      CachedChunk chunk =
          isServed || isOfOtherState
              ? null
              : CachedChunk.of(
                  read, checks, left.stream().filter(it -> it.file().equals(read.file())).toList());
      if (chunk != null) {
        replace(before, chunk);
      }
    }
    giveUp(left.stream().filter(buffer -> buffer.chunks().isEmpty()).toList());
  }

  private void replace(@Nullable CachedChunk before, CachedChunk chunk) {
    if (before != null) {
      drop(before);
    }
    files.put(chunk);
    chunk.buffers().forEach(buffer -> buffer.chunks().add(chunk));
  }

  /**
   * Drops all buffers. The pool frees a buffer that a scan is reading after that scan releases it.
   */
  public synchronized void clear() {
    List.copyOf(buffers.values()).forEach(this::drop);
  }

  /** Gives back buffers that {@link #keep} has given. */
  synchronized void giveUp(List<CachedBuffer> added) {
    added.forEach(this::drop);
  }

  /** Forgets what the pool has taken. */
  private void dropTaken() {
    long before = bytes;
    for (long id : PinnedPool.takeEvicted()) {
      CachedBuffer buffer = buffers.get(id);
      if (buffer != null) {
        drop(buffer);
      }
    }
    if (bytes < before) {
      bytesUnderPressure = bytes;
      pressureEnds = System.nanoTime() + NANOS_AFTER_PRESSURE;
    }
  }

  private void dropChanged(CachedChunk chunk) {
    long before = bytes;
    drop(chunk);
    changedBytes += before - bytes;
  }

  private void drop(CachedBuffer buffer) {
    if (buffers.remove(buffer.memory().id()) == null) {
      return;
    }
    bytes -= buffer.memory().length();
    buffer.memory().evict();
    List.copyOf(buffer.chunks()).forEach(this::drop);
  }

  /** Forgets a chunk, and buffers that no other chunk needs. */
  private void drop(CachedChunk chunk) {
    files.remove(chunk);
    for (CachedBuffer buffer : chunk.buffers()) {
      if (buffer.chunks().remove(chunk) && buffer.chunks().isEmpty()) {
        drop(buffer);
      }
    }
  }

  /** Statistics of the cache since it was made. */
  public synchronized CacheStats stats() {
    return isOn()
        ? new CacheStats(
            bytes, hits, misses, hitBytes, replacedBytes, changedBytes, history.enoughBytes())
        : CacheStats.NONE;
  }
}
