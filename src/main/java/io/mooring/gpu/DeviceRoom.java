package io.mooring.gpu;

import io.mooring.parquet.read.DeviceAdmission;
import java.util.function.LongSupplier;

/**
 * The room of a device for objects that stay there, in permits of one MiB. Thread-safe.
 *
 * @param queue those that wait for room
 * @param unusedBytes of objects that nobody uses
 * @param dropUnused frees these
 */
record DeviceRoom(
    DeviceAdmission admission, RoomQueue queue, LongSupplier unusedBytes, Runnable dropUnused) {
  private static final int MIB_SHIFT = 20;

  /**
   * Keeps bytes and returns the permits to give up.
   *
   * @param taken permits that the same work has
   * @throws RefusedException when there is no room
   */
  int keep(long bytes, long taken) {
    int permits = admission.keep(bytes);
    if (permits == 0) {
      dropUnused.run();
      permits = admission.keep(bytes);
    }
    if (permits == 0) {
      long needed = bytes(taken + (bytes >> MIB_SHIFT) + 1);
      String reason = "the device has no room for objects that would stay there";
      throw isTooSmallFor(needed)
          ? new RefusedException(reason)
          : new RefusedException(reason, needed);
    }
    return permits;
  }

  void giveUp(int permits) {
    admission.giveUp(permits);
  }

  static long bytes(long permits) {
    return permits << MIB_SHIFT;
  }

  /** The bytes that can be kept now, those of unused objects too. */
  long freeBytes() {
    return admission.mostReservedBytes() - admission.reservedBytes() + unusedBytes.getAsLong();
  }

  /** The bytes that neither units nor objects have room for. */
  long unreservedBytes() {
    return admission.unreservedBytes();
  }

  boolean isFree(long bytes) {
    return freeBytes() >= bytes;
  }

  /** The bytes that can be kept at most. */
  long mostBytes() {
    return admission.mostReservedBytes();
  }

  /** Whether so many bytes can never be kept. */
  boolean isTooSmallFor(long bytes) {
    return bytes > mostBytes();
  }
}
