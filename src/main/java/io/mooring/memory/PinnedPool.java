package io.mooring.memory;

import io.mooring.jni.NativeLibrary;
import io.mooring.jni.PoolJni;
import io.mooring.jni.PoolOptions;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The pinned pool of this process. Started once; a second start finds the first pool, and nothing
 * ever stops it, because libcudf frees into it until the process is gone. Thread-safe.
 */
public final class PinnedPool {
  private static final Duration TRIM_INTERVAL = Duration.ofSeconds(30);

  private static volatile boolean started;
  private static volatile long maxBytes;
  private static volatile long fallbackMaxBytes = Long.MAX_VALUE;
  private static volatile @Nullable LeakDetector leakDetector;
  private static volatile @Nullable PinnedAllocator replacement;
  private static volatile Duration waitTimeout = Duration.ZERO;

  private PinnedPool() {}

  /**
   * Starts to fill the pool in the background.
   *
   * @return false when the process has a pool already
   * @throws IllegalStateException when the native library cannot be loaded
   */
  public static synchronized boolean start(PoolSettings settings) {
    if (started) {
      return false;
    }
    if (!NativeLibrary.load()) {
      throw new IllegalStateException(NativeLibrary.problem());
    }
    waitTimeout = settings.waitTimeout();
    leakDetector = settings.leakDetection() ? new LeakDetector() : null;
    boolean ours = replacement == null;
    PoolJni.startFilling(
        new PoolOptions(
            ours ? settings.sizeBytes() : 0,
            ours ? settings.maxBytes() : 0,
            settings.fallbackMaxBytes(),
            settings.threads(),
            settings.device(),
            settings.numaNodes().stream().mapToInt(Integer::intValue).toArray(),
            settings.leakDetection()));
    maxBytes = settings.maxBytes();
    fallbackMaxBytes = settings.fallbackMaxBytes();
    started = true;
    startTrimming();
    return true;
  }

  /**
   * Has buffers come from another allocator than this pool, which then only tells its size and
   * counts what is pageable. For benchmarks.
   *
   * @throws IllegalStateException when the pool has been started
   */
  public static synchronized void replaceBy(PinnedAllocator allocator) {
    if (started) {
      throw new IllegalStateException("The pool has been started");
    }
    replacement = allocator;
  }

  /** The allocator that serves buffers instead of this pool, or null. */
  public static @Nullable PinnedAllocator replacement() {
    return replacement;
  }

  private static void startTrimming() {
    Thread thread = new Thread(PinnedPool::trimForEver, "mooring-pool-trim");
    thread.setDaemon(true);
    thread.start();
  }

  private static void trimForEver() {
    while (true) {
      try {
        Thread.sleep(TRIM_INTERVAL.toMillis());
      } catch (InterruptedException e) {
        return;
      }
      PoolJni.trim();
    }
  }

  /** Whether {@link #start} has been called with success; the pool may still be filling. */
  public static boolean isStarted() {
    return started;
  }

  /**
   * The most bytes that the pool may grow to; its capacity where the system refused a part; 0
   * without a pool.
   */
  public static long mostBytes() {
    return refusal() == null ? maxBytes : stats().capacityBytes();
  }

  /** Bytes of pageable memory that may stand in for it at a time. */
  public static long mostFallbackBytes() {
    return fallbackMaxBytes;
  }

  /** The pool's statistics now; without a pool, those of the pageable memory in its place. */
  public static PoolStats stats() {
    PoolStats pool = started ? PoolStats.decode(PoolJni.stats()) : PoolStats.none();
    return pool.plus(FallbackCause.OFF, PageableMemory.count(), PageableMemory.bytes());
  }

  /** The extents that came into use since the last call. */
  public static List<PoolRegistration> takeRegistrations() {
    return started ? PoolRegistration.decode(PoolJni.takeRegistrations()) : List.of();
  }

  /** The {@linkplain EvictableBuffer#id buffers} that were evicted since the last call. */
  public static long[] takeEvicted() {
    return started ? PoolJni.takeEvicted() : new long[0];
  }

  /** Why a part of the pool was refused, or null. */
  public static @Nullable String refusal() {
    return started ? PoolJni.refusal() : null;
  }

  /** Waits until the pool has its size, or what the system gives; false when time is over first. */
  public static boolean awaitStarted(Duration time) {
    return !started || PoolJni.awaitStarted(time.toMillis());
  }

  static Duration waitTimeout() {
    return waitTimeout;
  }

  static @Nullable LeakDetector leakDetector() {
    return leakDetector;
  }
}
