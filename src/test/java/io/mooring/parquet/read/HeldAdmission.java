package io.mooring.parquet.read;

/** Device bytes that a test holds. */
public record HeldAdmission(DeviceAdmission admission, int permits) implements AutoCloseable {
  /** Takes bytes that are free. */
  public static HeldAdmission of(DeviceAdmission admission, long bytes) {
    int permits = admission.tryAcquire(bytes);
    if (permits == 0) {
      throw new IllegalStateException("There is no room");
    }
    return new HeldAdmission(admission, permits);
  }

  @Override
  public void close() {
    admission.release(permits);
  }
}
