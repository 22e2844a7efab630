package io.mooring.gpu;

import io.mooring.cache.ChunkCache;
import io.mooring.parquet.read.DeviceAdmission;
import io.mooring.parquet.read.IoThreads;
import io.mooring.parquet.read.ScanResources;
import io.mooring.parquet.read.TaskLimit;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A GPU that has come up, and what the scans on it share. Thread-safe. */
public final class Device {
  private static final Logger LOG = LoggerFactory.getLogger(Device.class);

  private final int number;
  private final String name;
  private final ScanResources shared;
  private final GpuHealth health;
  private final SharedObjects objects;

  private Device(StartedDevice started, ScanResources shared, GpuHealth health) {
    this.number = started.number();
    this.name = started.name();
    this.shared = shared;
    this.health = health;
    this.objects = new SharedObjects(shared.admission());
  }

  /**
   * Starts the threads that fill the device.
   *
   * @param io of this device alone
   * @param concurrentTasks that decode and compute at a time; 0 for no limit
   * @param decodeLimit how long one decode may take
   * @param cache of all devices
   * @param group all devices of the process, this one among them
   */
  static Device of(
      StartedDevice started,
      IoLimits io,
      long concurrentTasks,
      Duration decodeLimit,
      ChunkCache cache,
      GpuHealth.DeviceGroup group) {
    int number = started.number();
    IoThreads threads =
        IoThreads.start(
            io.threads(), io.requests(), started.uploadStream(), () -> CurrentDevice.use(number));
    GpuHealth health = new GpuHealth(number, started.name(), group);
    ScanResources shared =
        new ScanResources(
            threads,
            new DeviceAdmission(started.bytes()),
            new TaskLimit(concurrentTasks),
            DecodeWatchdog.of(health, decodeLimit),
            cache);
    return new Device(started, shared, health);
  }

  /** For people. */
  public String name() {
    return name;
  }

  /** Whether it is still used. */
  public GpuHealth health() {
    return health;
  }

  /** Why it is not used any more, or null. */
  @Nullable String problem() {
    return health.problem();
  }

  /** The resources that its scans share. */
  public ScanResources scanResources() {
    return shared;
  }

  /** The objects that tasks on it share. */
  SharedObjects objects() {
    return objects;
  }

  /** Frees what no task uses; never fails. */
  void dropUnused() {
    try {
      useOnThisThread();
      objects.dropUnused();
    } catch (RuntimeException e) {
      // It is lost, and what was on it with it.
      LOG.debug("The device could not be made current", e);
    }
  }

  /** Makes it current for the calling thread in both CUDA runtimes; cheap when it is. */
  public void useOnThisThread() {
    CurrentDevice.use(number);
  }
}
