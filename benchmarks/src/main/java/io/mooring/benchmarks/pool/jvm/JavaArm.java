package io.mooring.benchmarks.pool.jvm;

/** An allocator of host memory as Java sees it. Thread-safe; one in a JVM. */
interface JavaArm {

  /** A buffer of so many bytes; closing it gives it back. */
  AutoCloseable allocate(long bytes);

  /** Allocates and frees at once. */
  void pair(long bytes) throws Exception;

  /** Makes the pool, which was not there before, and waits until it has a buffer. */
  void start(long poolBytes);

  /** Waits until all of it is usable. */
  void await();

  /** Whether the CUDA driver has pinned the memory. */
  boolean pinned();

  /** Buffers that did not come out of the pool so far. */
  long fallbacks();
}
