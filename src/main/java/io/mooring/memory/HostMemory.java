package io.mooring.memory;

import io.mooring.jni.PoolJni;
import io.mooring.memory.HostBuffer.Origin;
import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;
import sun.misc.Unsafe;

/**
 * Where host buffers come from: the pinned pool, then pageable memory up to a limit. Thread-safe.
 */
public final class HostMemory {
  private static final Unsafe UNSAFE = unsafe();

  private HostMemory() {}

  /**
   * A buffer of {@code bytes} bytes, pinned if the pool has room.
   *
   * @throws HostMemoryExhaustedException when pageable memory is at its limit and none came free in
   *     time
   */
  public static HostBuffer allocate(long bytes) {
    if (!PinnedPool.isStarted()) {
      return new HostBuffer(UNSAFE.allocateMemory(Math.max(bytes, 1)), bytes, Origin.PLAIN);
    }
    long address = PoolJni.alloc(bytes);
    if (address > 0) {
      return buffer(address, bytes, Origin.POOL);
    }
    return fallback(bytes, FallbackCause.ofCode(-address));
  }

  /** A pinned buffer, or null when the pool has no room for it. */
  public static @Nullable HostBuffer tryAllocatePinned(long bytes) {
    long address = PinnedPool.isStarted() ? PoolJni.alloc(bytes) : -1;
    return address > 0 ? buffer(address, bytes, Origin.POOL) : null;
  }

  /** Copies {@code length} bytes from the start of an array to native memory. */
  public static void copyIn(byte[] from, int length, long toAddress) {
    if (length < 0 || length > from.length) {
      throw new IndexOutOfBoundsException(
          "Cannot copy " + length + " of " + from.length + " bytes");
    }
    UNSAFE.copyMemory(from, Unsafe.ARRAY_BYTE_BASE_OFFSET, null, toAddress, length);
  }

  private static HostBuffer fallback(long bytes, FallbackCause cause) {
    long timeout = PinnedPool.waitTimeout().toMillis();
    long before = System.nanoTime();
    long address = PoolJni.allocFallback(bytes, cause.code(), timeout);
    if (address == -1) {
      PoolStats stats = PinnedPool.stats();
      throw new HostMemoryExhaustedException(
          String.format(
              "No %,d bytes of host memory came free within %d ms: the pinned pool (%,d bytes) is"
                  + " %s, and pageable memory is at its limit of %,d bytes. Raise"
                  + " spark.mooring.pinnedPool.size or spark.mooring.pinnedPool.fallback.maxSize",
              bytes,
              (System.nanoTime() - before) / 1_000_000,
              stats.capacityBytes(),
              cause.name().toLowerCase(java.util.Locale.ROOT),
              stats.fallbackLimit()));
    }
    FallbackEvent.record(bytes, cause, System.nanoTime() - before);
    return buffer(address, bytes, Origin.FALLBACK);
  }

  private static HostBuffer buffer(long address, long bytes, Origin origin) {
    HostBuffer buffer = new HostBuffer(address, bytes, origin);
    LeakDetector detector = PinnedPool.leakDetector();
    if (detector != null) {
      detector.opened(buffer, address, bytes);
    }
    return buffer;
  }

  static void release(long address, long bytes, Origin origin) {
    LeakDetector detector = PinnedPool.leakDetector();
    if (detector != null) {
      detector.closed(address);
    }
    switch (origin) {
      case POOL -> PoolJni.free(address);
      case FALLBACK -> PoolJni.freeFallback(address, bytes);
      case PLAIN -> UNSAFE.freeMemory(address);
    }
  }

  private static Unsafe unsafe() {
    try {
      Field field = Unsafe.class.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      return (Unsafe) field.get(null);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
