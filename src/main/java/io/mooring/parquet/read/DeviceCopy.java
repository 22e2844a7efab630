package io.mooring.parquet.read;

import io.mooring.jni.TransferJni;

/** A copy to the device that is on its way, or several in order. Used by one thread at a time. */
final class DeviceCopy implements AutoCloseable {
  private final Runnable useDevice;
  private final long event;

  private DeviceCopy(Runnable useDevice, long event) {
    this.useDevice = useDevice;
    this.event = event;
  }

  /**
   * Enqueues a copy on a stream; after a failure none is in flight.
   *
   * @param useDevice makes the device current; cheap when it is
   */
  static DeviceCopy start(Runnable useDevice, long to, long from, long bytes, long stream) {
    return start(
        useDevice,
        stream,
        () -> TransferJni.copyAsync(to, from, bytes, TransferJni.HOST_TO_DEVICE, stream));
  }

  /** Starts the copies that {@code enqueue} puts on the stream. */
  static DeviceCopy start(Runnable useDevice, long stream, Runnable enqueue) {
    useDevice.run();
    DeviceCopy copy = new DeviceCopy(useDevice, TransferJni.takeEvent());
    try {
      enqueue.run();
      TransferJni.recordEvent(copy.event, stream);
      return copy;
    } catch (RuntimeException | Error e) {
      copy.stop(stream, e);
      throw e;
    }
  }

  private void stop(long stream, Throwable cause) {
    try {
      TransferJni.syncStream(stream);
    } catch (RuntimeException | Error e) {
      cause.addSuppressed(e);
    }
    close();
  }

  /** Whether {@link #await} would not have to wait. */
  boolean isDone() {
    try {
      useDevice.run();
      return TransferJni.hasPassed(event);
    } catch (RuntimeException | Error e) {
      // The same failure recurs in await, which throws it.
      return true;
    }
  }

  /** Waits until the bytes are on the device. */
  void await() {
    try {
      useDevice.run();
    } finally {
      // Whatever else fails: the memory at both ends goes back after this.
      TransferJni.syncEvent(event);
    }
  }

  @Override
  public void close() {
    TransferJni.recycleEvent(event);
  }
}
