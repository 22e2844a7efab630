package io.mooring.gpu;

/**
 * Thrown when a device cannot have an object that tasks share, or has no room for it. The message
 * says why.
 */
public final class RefusedException extends RuntimeException {
  private final long neededBytes;

  /** Refuses for a reason that does not pass. */
  public RefusedException(String reason) {
    this(reason, Long.MAX_VALUE);
  }

  /**
   * Refuses for lack of room.
   *
   * @param neededBytes the bytes that the work had taken and asked for; the whole work may need
   *     more
   */
  RefusedException(String reason, long neededBytes) {
    super(reason);
    this.neededBytes = neededBytes;
  }

  /** Whether others may give back the room that lacked. */
  public boolean isForRoom() {
    return neededBytes != Long.MAX_VALUE;
  }

  /** The same refusal for work that holds so many bytes more. */
  public RefusedException beside(long bytes) {
    return new RefusedException(getMessage(), isForRoom() ? neededBytes + bytes : neededBytes);
  }

  /**
   * The bytes that must be free before another try; {@link Long#MAX_VALUE} if no try can succeed.
   */
  long neededBytes() {
    return neededBytes;
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
