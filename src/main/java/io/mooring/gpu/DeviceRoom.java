package io.mooring.gpu;

import io.mooring.parquet.read.DeviceAdmission;
import java.util.function.LongSupplier;

/**
 * The device memory that can be reserved for shared objects, in permits of one MiB. Thread-safe.
 *
 * @param queue the tasks that wait for room
 * @param unusedBytes the bytes of objects that no task uses
 * @param dropUnused frees these objects
 */
record DeviceRoom(
    DeviceAdmission admission, RoomQueue queue, LongSupplier unusedBytes, Runnable dropUnused) {
  private static final int MIB_SHIFT = 20;

  /**
   * Reserves bytes.
   *
   * @param taken the permits that the same work holds already
   * @return the number of permits, for {@link #giveUp}
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
