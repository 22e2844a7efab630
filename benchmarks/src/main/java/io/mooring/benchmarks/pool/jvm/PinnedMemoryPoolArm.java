package io.mooring.benchmarks.pool.jvm;

import ai.rapids.cudf.HostMemoryBuffer;
import ai.rapids.cudf.PinnedMemoryPool;

/** cudf's pool for Java: RMM's pool behind a Java monitor. Needs a GPU. */
final class PinnedMemoryPoolArm implements JavaArm {

  PinnedMemoryPoolArm() {
    Device.open();
  }

  @Override
  public void start(long poolBytes) {
    PinnedMemoryPool.initialize(poolBytes, 0);
    HostMemoryBuffer first = PinnedMemoryPool.tryAllocate(1 << 20);
    if (first == null) {
      throw new IllegalStateException("PinnedMemoryPool has no first buffer");
    }
    first.close();
  }

  @Override
  public void await() {
    // its first buffer comes when all of it is there
  }

  @Override
  public AutoCloseable allocate(long bytes) {
    return PinnedMemoryPool.allocate(bytes);
  }

  @Override
  public void pair(long bytes) {
    PinnedMemoryPool.allocate(bytes).close();
  }

  @Override
  public boolean pinned() {
    return true;
  }

  @Override
  public long fallbacks() {
    return 0; // it does not tell
  }
}
