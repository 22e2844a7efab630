package io.mooring.memory;

import io.mooring.conf.PoolEntries;
import io.mooring.jni.PoolJni;
import io.mooring.memory.HostBuffer.Origin;
import java.util.Locale;
import java.util.Objects;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/**
 * Allocation of host buffers: from the pinned pool, then from pageable memory up to a limit.
 * Thread-safe.
 */
public final class HostMemory {
  private HostMemory() {}

  /**
   * A buffer of {@code bytes} bytes, pinned if the pool has room. Where no pool was started it is
   * pageable, which counts as a fallback with the cause {@link FallbackCause#OFF}.
   *
   * @throws IllegalArgumentException when {@code bytes} is negative
   * @throws HostMemoryExhaustedException when neither the pool nor pageable memory had room in
   *     time, or a request is larger than either
   */
  public static HostBuffer allocate(long bytes) {
    checkSize(bytes);
    if (!PinnedPool.isStarted()) {
      return buffer(PageableMemory.allocate(bytes), bytes, Origin.PAGEABLE);
    }
    PinnedAllocator replacement = PinnedPool.replacement();
    if (replacement != null) {
      HostBuffer replaced = replaced(replacement, bytes);
      return replaced != null ? replaced : fallback(bytes, FallbackCause.EXHAUSTED);
    }
    long address = PoolJni.alloc(bytes);
    if (address > 0) {
      return buffer(address, bytes, Origin.POOL);
    }
    return fallback(bytes, FallbackCause.ofRefusal(address));
  }

  /** A pinned buffer, or null when the pool has no room for it. */
  public static @Nullable HostBuffer tryAllocatePinned(long bytes) {
    checkSize(bytes);
    PinnedAllocator replacement = PinnedPool.replacement();
    if (replacement != null) {
      return replaced(replacement, bytes);
    }
    if (!PinnedPool.isStarted()) {
      return null;
    }
    long address = PoolJni.alloc(bytes);
    return address > 0 ? buffer(address, bytes, Origin.POOL) : null;
  }

  private static @Nullable HostBuffer replaced(PinnedAllocator replacement, long bytes) {
    long address = replacement.allocate(bytes);
    return address == 0 ? null : buffer(address, bytes, Origin.REPLACEMENT);
  }

  /** Copies {@code length} bytes from the start of an array to native memory. */
  public static void copyIn(byte[] from, int length, long toAddress) {
    if (length < 0 || length > from.length) {
      throw new IndexOutOfBoundsException(
          "Cannot copy " + length + " of " + from.length + " bytes");
    }
    PageableMemory.copyIn(from, length, toAddress);
  }

  private static void checkSize(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("A host buffer cannot have " + bytes + " bytes");
    }
  }

  private static HostBuffer fallback(long bytes, FallbackCause cause) {
    long timeout = PinnedPool.waitTimeout().toMillis();
    long before = System.nanoTime();
    long address = PoolJni.allocFallback(bytes, cause.code(), timeout);
    long waited = System.nanoTime() - before;
    if (address <= 0) {
      FallbackEvent.record(bytes, cause, waited, false);
      throw new HostMemoryExhaustedException(describe(bytes, cause, waited));
    }
    if (PoolJni.owns(address)) {
      return buffer(address, bytes, Origin.POOL);
    }
    FallbackEvent.record(bytes, cause, waited, true);
    return buffer(address, bytes, Origin.FALLBACK);
  }

  private static String describe(long bytes, FallbackCause cause, long waitedNanos) {
    PoolStats stats = PinnedPool.stats();
    String what =
        bytes > Math.max(stats.get(PoolStat.FALLBACK_LIMIT), PinnedPool.mostBytes())
            ? String.format(
                "A host buffer of %,d bytes is larger than the pool and its fallback", bytes)
            : String.format(
                "No host buffer of %,d bytes came free within %d ms",
                bytes, waitedNanos / 1_000_000);
    return String.format(
        "%s: the pinned pool (%,d bytes) is %s, and pageable memory is limited to %,d bytes. Raise"
            + " %s or %s",
        what,
        stats.capacityBytes(),
        cause.name().toLowerCase(Locale.ROOT),
        stats.get(PoolStat.FALLBACK_LIMIT),
        PoolEntries.SIZE.key(),
        PoolEntries.FALLBACK_MAX_SIZE.key());
  }

  private static HostBuffer buffer(long address, long bytes, Origin origin) {
    HostBuffer buffer = new HostBuffer(address, bytes, origin);
    LeakDetector detector = PinnedPool.leakDetector();
    if (detector != null) {
      detector.opened(buffer, address, bytes);
    }
    return buffer;
  }

  static @Nullable EvictableBuffer makeEvictable(long address, long bytes, Origin origin) {
    long id = origin == Origin.POOL ? PoolJni.makeEvictable(address) : 0;
    if (id == 0) {
      release(address, bytes, origin);
      return null;
    }
    LeakDetector detector = PinnedPool.leakDetector();
    if (detector != null) {
      detector.closed(address);
    }
    return new EvictableBuffer(id, address, bytes);
  }

  static void release(long address, long bytes, Origin origin) {
    LeakDetector detector = PinnedPool.leakDetector();
    if (detector != null) {
      detector.closed(address);
    }
    switch (origin) {
      case POOL -> PoolJni.free(address);
      case REPLACEMENT -> Objects.requireNonNull(PinnedPool.replacement()).free(address);
      case FALLBACK -> PoolJni.freeFallback(address, bytes);
      case PAGEABLE -> PageableMemory.free(address);
    }
  }

  /** The pool could not serve a Java buffer: pageable memory did, or nothing in time. */
  @Name("io.mooring.Fallback")
  @Label("Pinned pool fallback")
  @Description(
      "The pinned pool could not serve a host buffer: pageable memory did, or nothing in time")
  @Category("Mooring")
  @StackTrace(false)
  private static final class FallbackEvent extends Event {
    @Label("Size")
    @DataAmount
    long bytes;

    @Label("Cause")
    String cause = "";

    @Label("Wait")
    @Timespan
    long wait;

    @Label("Served from pageable memory")
    boolean served;

    static void record(long bytes, FallbackCause cause, long waitNanos, boolean served) {
      FallbackEvent event = new FallbackEvent();
      if (event.isEnabled()) {
        event.bytes = bytes;
        event.cause = cause.name();
        event.wait = waitNanos;
        event.served = served;
        event.commit();
      }
    }
  }
}
