package io.mooring.gpu;

import io.mooring.parquet.read.DeviceAdmission;

/**
 * The room of a device for objects that stay there, in permits of one MiB. Thread-safe.
 *
 * @param dropUnused frees objects that nobody uses, where room is needed
 */
record DeviceRoom(DeviceAdmission admission, Runnable dropUnused) {
  private static final int MIB_SHIFT = 20;

  /** Keeps bytes and returns the permits to give up; 0 when there is no room. */
  int keep(long bytes) {
    int permits = admission.keep(bytes);
    if (permits == 0) {
      dropUnused.run();
      permits = admission.keep(bytes);
    }
    return permits;
  }

  void giveUp(int permits) {
    admission.giveUp(permits);
  }

  /** The least bytes that have to be free for some bytes beside permits. */
  static long needed(long permits, long bytes) {
    return (permits + (bytes >> MIB_SHIFT) + 1) << MIB_SHIFT;
  }

  /** The most bytes that can be kept now. */
  long freeBytes() {
    dropUnused.run();
    return admission.mostReservedBytes() - admission.reservedBytes();
  }

  /** Whether so many bytes can never be kept. */
  boolean isTooSmallFor(long bytes) {
    return bytes > admission.mostReservedBytes();
  }
}
