package io.mooring.jni;

import org.jspecify.annotations.Nullable;

/**
 * The process's pinned pool. All methods are thread-safe and need {@link NativeLibrary#load()}.
 * Sizes are in bytes, addresses native.
 */
public final class PoolJni {
  private PoolJni() {}

  /**
   * CUDA devices that this process may use; 0 when there is none or the CUDA driver does not fit.
   */
  public static native int deviceCount();

  /** Why there is no device, or null. */
  public static native @Nullable String deviceProblem();

  /** The NUMA node of a device; -1 when there is one node, or the system names none. */
  public static native int numaNode(int device);

  /** Whether kernels of the device may read registered host memory by its own address. */
  public static native boolean readsRegisteredMemory(int device);

  /** Whether the system lets this process choose the NUMA node of its pages. */
  public static native boolean mayBindMemory();

  /**
   * Starts to fill the pool in the background.
   *
   * @return false when the process has a pool already
   * @throws IllegalArgumentException for sizes or thread counts that make no sense
   */
  public static native boolean startFilling(PoolOptions options);

  /**
   * Allocates a buffer.
   *
   * @return its address; where there is none, the negated code of the cause
   */
  public static native long alloc(long bytes);

  /** Gives a buffer back; no copy from or to it may be in flight. */
  public static native void free(long address);

  /**
   * Hands a buffer over to the pool, which keeps its bytes until it needs the memory. No copy from
   * or to the buffer may be in flight.
   *
   * @return the id of the evictable buffer; 0 when the caller keeps the buffer
   */
  public static native long makeEvictable(long address);

  /** Keeps an evictable buffer from eviction while it is read; false when it has been evicted. */
  public static native boolean acquireEvictable(long id);

  /** Ends one {@link #acquireEvictable}; no copy of that reader may be in flight. */
  public static native void releaseEvictable(long id);

  /** Gives an evictable buffer back as soon as nobody reads it. */
  public static native void evict(long id);

  /** The evictable buffers that were evicted since the last call. */
  public static native long[] takeEvicted();

  /**
   * Allocates a pageable buffer or, without room for one, a buffer of the pool, in turn with other
   * callers that wait.
   *
   * @param cause the code of the cause under which a pageable buffer is counted
   * @return the address; 0 when neither had room in time
   */
  public static native long allocFallback(long bytes, int cause, long timeoutMillis);

  /** Whether an address is the pool's and not pageable memory. */
  public static native boolean owns(long address);

  public static native void freeFallback(long address, long bytes);

  /** One snapshot, in the layout of {@code pool_snapshot} in pool.hpp. */
  public static native long[] stats();

  /**
   * Offset, bytes, nanoseconds from the start until it was usable, and nanoseconds in the CUDA
   * driver for each extent that came into use since the last call.
   */
  public static native long[] takeRegistrations();

  /** Why a part of the pool was refused, or null. */
  public static native @Nullable String refusal();

  /** Waits until the pool has its size; false when the time is over first. */
  public static native boolean awaitStarted(long millis);

  /** Gives back grown and pageable memory that was not needed since the last call. */
  public static native void trim();
}
