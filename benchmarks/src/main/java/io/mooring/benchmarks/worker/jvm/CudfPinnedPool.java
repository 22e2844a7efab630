package io.mooring.benchmarks.worker.jvm;

import ai.rapids.cudf.HostMemoryBuffer;
import ai.rapids.cudf.PinnedMemoryPool;
import io.mooring.memory.PinnedAllocator;
import io.mooring.memory.PinnedPool;
import java.util.concurrent.ConcurrentHashMap;

/**
 * cudf's own pool for Java in the place of Mooring's, of the same size, so that runs differ only by
 * the allocator. It also serves libcudf, as it does wherever it is started. Where it is full,
 * Mooring's buffers become pageable, and libcudf's come from cudaHostAlloc. Each call costs one
 * look-up in a table beside cudf's own bookkeeping, well below a microsecond.
 */
final class CudfPinnedPool implements PinnedAllocator {

  private static final long ALIGNMENT = 256;

  private final ConcurrentHashMap<Long, HostMemoryBuffer> open = new ConcurrentHashMap<>();

  private CudfPinnedPool() {}

  /** Makes Mooring in this process use it; to be called before Spark starts. */
  static void install() {
    PinnedPool.replaceBy(new CudfPinnedPool());
  }

  @Override
  public void start(long bytes, int device) {
    // RMM refuses pools of other sizes.
    long aligned = bytes / ALIGNMENT * ALIGNMENT;
    PinnedMemoryPool.initialize(aligned, device);
    // Waits until it is there, so that no query pays for its start; throws where it failed.
    if (PinnedMemoryPool.getTotalPoolSizeBytes() != aligned) {
      throw new IllegalStateException("PinnedMemoryPool has not taken " + aligned + " bytes");
    }
  }

  @Override
  public long allocate(long bytes) {
    HostMemoryBuffer buffer = PinnedMemoryPool.tryAllocate(bytes);
    if (buffer == null) {
      return 0;
    }
    open.put(buffer.getAddress(), buffer);
    return buffer.getAddress();
  }

  @Override
  public void free(long address) {
    open.remove(address).close();
  }
}
