package io.mooring.benchmarks.pool;

import java.util.List;

/**
 * An allocator as one of its interfaces (faces) shows it.
 *
 * @param name as in every row
 * @param process name of its arm in the native program or in the Java one
 * @param java whether it is called from Java
 * @param face {@code buffers} or {@code libcudf}; only Mooring's native arm has both
 * @param needsGpu whether it can be measured only with a GPU
 */
record PoolArm(String name, String process, boolean java, String face, boolean needsGpu) {

  static final String HOST_ALLOC = "cudaHostAlloc";
  static final String MALLOC = "malloc";
  static final String REGISTERED = "malloc+register";
  static final String RMM = "rmm-pool";
  static final String LIBCUDF_DEFAULT = "libcudf-default";
  static final String PINNED_MEMORY_POOL = "PinnedMemoryPool";

  /** The name of Mooring's arm where its faces do not matter, and of its processes. */
  static final String MOORING = "mooring";

  static final PoolArm BUFFERS = new PoolArm("mooring-buffers", MOORING, false, "buffers", false);
  static final PoolArm LIBCUDF = new PoolArm("mooring-libcudf", MOORING, false, "libcudf", false);

  /** Measured natively, the slow ones last. */
  static final List<PoolArm> NATIVE =
      List.of(
          BUFFERS,
          LIBCUDF,
          peer(RMM, true),
          peer(LIBCUDF_DEFAULT, true),
          peer(HOST_ALLOC, true),
          peer(MALLOC, false));

  /** Measured from Java. */
  static final List<PoolArm> JAVA =
      List.of(
          new PoolArm(MOORING, MOORING, true, "buffers", false),
          new PoolArm(PINNED_MEMORY_POOL, PINNED_MEMORY_POOL, true, "buffers", true));

  private static PoolArm peer(String name, boolean needsGpu) {
    return new PoolArm(name, name, false, "buffers", needsGpu);
  }

  /** Whether it takes memory in advance; other allocators get each block from the system. */
  boolean isPool() {
    return !process.equals(HOST_ALLOC) && !process.equals(MALLOC);
  }

  /** A name for its process that tells Java's from the native one. */
  String processName() {
    return (java ? "java-" : "native-") + process;
  }
}
