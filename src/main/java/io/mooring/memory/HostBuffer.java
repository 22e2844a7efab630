package io.mooring.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Host memory held until it is closed. A long one may lie in several registrations of the pool,
 * which no copy of CUDA may span: {@link io.mooring.jni.TransferJni} cuts copies there. Whoever
 * closes it guarantees that no copy from or to it is in flight; any thread may, and more than once.
 * A buffer that is never closed is lost to the pool.
 */
public final class HostBuffer implements AutoCloseable {
  /** The allocator that a buffer came from and goes back to. */
  enum Origin {
    POOL,
    REPLACEMENT,
    FALLBACK,
    PAGEABLE
  }

  private static final VarHandle ADDRESS;

  static {
    try {
      ADDRESS = MethodHandles.lookup().findVarHandle(HostBuffer.class, "address", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  // Address of the memory, and 0 once the buffer is closed. One field serves both purposes, because
  // buffers are allocated millions of times a second.
  @SuppressWarnings("FieldMayBeFinal")
  private volatile long address;

  private final long length;
  private final Origin origin;

  HostBuffer(long address, long length, Origin origin) {
    this.address = address;
    this.length = length;
    this.origin = origin;
  }

  /**
   * The native address of the first byte.
   *
   * @throws IllegalStateException when the buffer is closed
   */
  public long address() {
    long open = address;
    if (open == 0) {
      throw new IllegalStateException("A host buffer of " + length + " bytes is closed");
    }
    return open;
  }

  /** Bytes that may be used. */
  public long length() {
    return length;
  }

  /** Whether it came from the pool, or from its replacement, and not from pageable memory. */
  public boolean isPinned() {
    return origin == Origin.POOL || origin == Origin.REPLACEMENT;
  }

  /**
   * Closes this buffer and leaves its bytes with the pool until the pool needs the memory. No copy
   * from or to the buffer may be in flight. Returns null where the pool does not keep the bytes:
   * for pageable buffers, for short ones, and while others wait for memory.
   *
   * @throws IllegalStateException when the buffer is closed
   */
  public @Nullable EvictableBuffer makeEvictable() {
    long open = (long) ADDRESS.getAndSet(this, 0L);
    if (open == 0) {
      throw new IllegalStateException("A host buffer of " + length + " bytes is closed");
    }
    return HostMemory.makeEvictable(open, length, origin);
  }

  @Override
  public void close() {
    long open = (long) ADDRESS.getAndSet(this, 0L);
    if (open != 0) {
      HostMemory.release(open, length, origin);
    }
  }
}
