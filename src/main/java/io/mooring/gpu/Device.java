package io.mooring.gpu;

import io.mooring.parquet.DeviceAdmission;
import io.mooring.parquet.IoThreads;
import io.mooring.parquet.ScanResources;
import org.jspecify.annotations.Nullable;

/** A GPU that has come up, and what the scans on it share. Thread-safe. */
public final class Device {
  private final int number;
  private final String name;
  private final ScanResources shared;
  private final GpuHealth health;

  private Device(StartedDevice started, ScanResources shared, GpuHealth health) {
    this.number = started.number();
    this.name = started.name();
    this.shared = shared;
    this.health = health;
  }

  /**
   * Starts the threads that fill the device.
   *
   * @param siblings all devices of the process, this one among them
   */
  static Device of(StartedDevice started, int ioThreads, GpuHealth.Siblings siblings) {
    int number = started.number();
    IoThreads threads =
        IoThreads.start(ioThreads, started.uploadStream(), () -> CurrentDevice.use(number));
    return new Device(
        started,
        new ScanResources(threads, new DeviceAdmission(started.bytes())),
        new GpuHealth(number, started.name(), siblings));
  }

  /** For people. */
  public String name() {
    return name;
  }

  /** What failures have left of it. */
  public GpuHealth health() {
    return health;
  }

  /** Why it is not used any more, or null. */
  @Nullable String problem() {
    return health.problem();
  }

  /** What its scans share. */
  public ScanResources scanResources() {
    return shared;
  }

  /** Makes it current for the calling thread in both CUDA runtimes; cheap when it is. */
  public void useOnThisThread() {
    CurrentDevice.use(number);
  }
}
