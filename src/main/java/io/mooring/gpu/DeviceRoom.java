package io.mooring.gpu;

import io.mooring.parquet.read.DeviceAdmission;
import java.util.function.LongSupplier;

/**
 * The room of a device for objects that stay there, in permits of one MiB. Thread-safe.
 *
 * @param unusedBytes of objects that nobody uses
 * @param dropUnused frees these
 */
record DeviceRoom(DeviceAdmission admission, LongSupplier unusedBytes, Runnable dropUnused) {
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

  static long bytes(long permits) {
    return permits << MIB_SHIFT;
  }

  /** The least bytes that have to be free for some bytes beside permits. */
  static long needed(long permits, long bytes) {
    return bytes(permits + (bytes >> MIB_SHIFT) + 1);
  }

  /** Whether so many bytes can be kept now; unused objects are freed where that is enough. */
  boolean isFree(long bytes) {
    long free = admission.mostReservedBytes() - admission.reservedBytes();
    if (free < bytes && free + unusedBytes.getAsLong() >= bytes) {
      dropUnused.run();
      free = admission.mostReservedBytes() - admission.reservedBytes();
    }
    return free >= bytes;
  }

  /** Whether so many bytes can never be kept. */
  boolean isTooSmallFor(long bytes) {
    return bytes > admission.mostReservedBytes();
  }
}
