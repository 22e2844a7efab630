package io.mooring.memory;

/**
 * An allocator of pinned memory in the place of {@link PinnedPool}, so that a benchmark can tell
 * what the pool itself is worth. No setting reaches it. Thread-safe.
 */
public interface PinnedAllocator {
  /**
   * Obtains its memory, and makes libcudf take pinned memory from it too. Called once, after
   * libcudf has been loaded and before the first buffer.
   *
   * @param bytes the size that the pool would have
   * @param device the CUDA device whose driver pins the memory
   */
  void start(long bytes, int device);

  /**
   * The address of a pinned buffer of {@code bytes} bytes, aligned to 64; 0 where it has no room.
   */
  long allocate(long bytes);

  /** Gives a buffer back; no copy from or to it is in flight. */
  void free(long address);
}
