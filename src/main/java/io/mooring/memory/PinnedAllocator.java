package io.mooring.memory;

/**
 * An allocator of pinned memory in the place of {@link PinnedPool}, so that a benchmark can tell
 * what the pool itself is worth. No setting reaches it. Thread-safe.
 */
public interface PinnedAllocator {
  /**
   * Takes its memory, and makes it libcudf's pinned memory too. Called once, when libcudf is up and
   * before the first buffer.
   *
   * @param bytes what the pool would have had
   * @param device whose driver pins
   */
  void start(long bytes, int device);

  /**
   * The address of a pinned buffer of {@code bytes} bytes, aligned to 64; 0 where it has no room.
   */
  long allocate(long bytes);

  /** Gives a buffer back; no copy from or to it is in flight. */
  void free(long address);
}
