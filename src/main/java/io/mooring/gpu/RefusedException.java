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

  /** Whether others may give back the room that lacked. */
  public boolean isForRoom() {
    return neededBytes != Long.MAX_VALUE;
  }

  /** The same of work that has taken so many bytes more. */
  public RefusedException beside(long bytes) {
    return new RefusedException(getMessage(), isForRoom() ? neededBytes + bytes : neededBytes);
  }

  /** The least bytes with which it is worth trying again; the greatest long where none are. */
  long neededBytes() {
    return neededBytes;
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
