package io.mooring.benchmarks.pool.jvm;

import io.mooring.conf.AutoDefaults;
import io.mooring.jni.NativeLibrary;
import io.mooring.jni.PoolJni;
import io.mooring.memory.HostBuffer;
import io.mooring.memory.HostMemory;
import io.mooring.memory.PinnedPool;
import io.mooring.memory.PoolSettings;
import java.time.Duration;
import java.util.List;

/** The pool under test, made as the plugin makes it; pageable memory without a GPU. */
final class MooringArm implements JavaArm {

  private static final long FALLBACK_BYTES = 1L << 30;
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final int device;

  MooringArm() {
    if (!NativeLibrary.load()) {
      throw new IllegalStateException(NativeLibrary.problem());
    }
    device = PoolJni.deviceCount() > 0 ? 0 : -1;
    if (device >= 0) {
      Device.open();
    }
  }

  @Override
  public void start(long poolBytes) {
    List<Integer> nodes = device >= 0 ? List.of(PoolJni.numaNode(device)) : List.of();
    PinnedPool.start(
        new PoolSettings(
            poolBytes,
            poolBytes,
            FALLBACK_BYTES,
            Duration.ZERO,
            AutoDefaults.initThreads(),
            device,
            nodes,
            false));
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    HostBuffer first = null;
    while (first == null && System.nanoTime() < deadline) {
      first = HostMemory.tryAllocatePinned(1 << 20);
    }
    if (first == null) {
      throw new IllegalStateException("no buffer: " + PinnedPool.refusal());
    }
    first.close();
  }

  @Override
  public void await() {
    PinnedPool.awaitStarted(PATIENCE);
    String refusal = PinnedPool.refusal();
    if (refusal != null) {
      throw new IllegalStateException("the pool was refused memory: " + refusal);
    }
  }

  @Override
  public AutoCloseable allocate(long bytes) {
    return HostMemory.allocate(bytes);
  }

  @Override
  public void pair(long bytes) {
    HostMemory.allocate(bytes).close();
  }

  @Override
  public boolean pinned() {
    return device >= 0;
  }

  @Override
  public long fallbacks() {
    return PinnedPool.stats().fallbackCount();
  }
}
