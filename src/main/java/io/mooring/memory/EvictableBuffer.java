package io.mooring.memory;

import io.mooring.jni.PoolJni;

/**
 * A pinned buffer that the pool evicts at once for any allocation that finds no room, unless it is
 * being read. Thread-safe.
 */
public final class EvictableBuffer {
  private final long id;
  private final long address;
  private final long length;

  EvictableBuffer(long id, long address, long length) {
    this.id = id;
    this.address = address;
    this.length = length;
  }

  /** The number by which {@link PinnedPool#takeEvicted} names it; never used for another buffer. */
  public long id() {
    return id;
  }

  /** The native address of the first byte, which is only there while the buffer is acquired. */
  public long address() {
    return address;
  }

  /** Bytes that it holds. */
  public long length() {
    return length;
  }

  /** Keeps it from eviction until {@link #release}; false when it is gone. */
  public boolean acquire() {
    return PoolJni.acquireEvictable(id);
  }

  /** Ends one {@link #acquire} that was granted; no copy of that reader is in flight. */
  public void release() {
    PoolJni.releaseEvictable(id);
  }

  /** Gives it back to the pool as soon as nobody reads it; nothing when it is gone. */
  public void evict() {
    PoolJni.evict(id);
  }
}
