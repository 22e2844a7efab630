package io.mooring.gpu;

/** Says that an object which tasks share is not to be had on a device, and why. */
public final class RefusedException extends RuntimeException {
  private final long neededBytes;

  /** Refuses for a reason that does not pass. */
  public RefusedException(String reason) {
    this(reason, Long.MAX_VALUE);
  }

  /**
   * Refuses for want of room.
   *
   * @param neededBytes all that the work has taken and asked for, which may not be all that it
   *     needs
   */
  RefusedException(String reason, long neededBytes) {
    super(reason);
    this.neededBytes = neededBytes;
  }

  /** The least bytes with which it is worth trying again; the greatest long where none are. */
  long neededBytes() {
    return neededBytes;
  }
}
