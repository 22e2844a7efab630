package io.mooring.gpu;

import io.mooring.cache.ChunkCache;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The GPUs of this process, and which task is on which: a task gets the one with the fewest tasks,
 * among those the one with the fewest bytes admitted, else the next in turn, and keeps it.
 * Thread-safe.
 */
public final class Devices {
  /** The device of a task, and how many of its readers hold it. */
  private record Assignment(Device device, int holders) {}

  private final List<Device> all;
  private final ChunkCache cache;
  private final Map<Long, Assignment> assignments = new HashMap<>();
  private final List<Device> lent = new ArrayList<>();
  private int turn;

  /**
   * Starts what scans on them share.
   *
   * @param started at least one
   * @param io of all together
   * @param concurrentTasks that decode and compute on each at a time; 0 for no limit
   * @param decodeLimit how long one decode may take
   * @param cache of column chunks
   */
  Devices(
      List<StartedDevice> started,
      IoLimits io,
      long concurrentTasks,
      Duration decodeLimit,
      ChunkCache cache) {
    IoLimits each = io.sharedBy(started.size());
    GpuHealth.DeviceGroup group = new Group();
    this.cache = cache;
    this.all =
        started.stream()
            .map(device -> Device.of(device, each, concurrentTasks, decodeLimit, cache, group))
            .toList();
  }

  /** The cache of column chunks. */
  public ChunkCache cache() {
    return cache;
  }

  /** Device memory that scans may use, of the device that has least of it. */
  public long leastBytes() {
    return all.stream()
        .mapToLong(device -> device.scanResources().admission().capacityBytes())
        .min()
        .orElseThrow();
  }

  /** In the order in which they were started. */
  public List<Device> all() {
    return all;
  }

  /** Puts a task on a device, or finds where it is; {@link #giveBack} once for each call. */
  synchronized Device take(long task) {
    Assignment assignment = assignments.get(task);
    Device device = assignment == null ? leastUsed() : assignment.device();
    assignments.put(
        task, new Assignment(device, assignment == null ? 1 : assignment.holders() + 1));
    return device;
  }

  synchronized void giveBack(long task) {
    assignments.computeIfPresent(
        task,
        (key, assignment) ->
            assignment.holders() == 1
                ? null
                : new Assignment(assignment.device(), assignment.holders() - 1));
  }

  /** Lends devices that no task uses to a task, so many at most; the caller closes each. */
  synchronized List<LentDevice> lendIdle(long most) {
    List<Device> idle =
        all.stream().filter(it -> it.problem() == null && tasksOn(it) == 0).limit(most).toList();
    lent.addAll(idle);
    return idle.stream().map(it -> new LentDevice(this, it)).toList();
  }

  /** Takes back a device that was lent. */
  synchronized void giveBack(Device device) {
    lent.remove(device);
  }

  private Device leastUsed() {
    Device least = null;
    for (int i = 0; i < all.size(); i++) {
      Device device = all.get((turn + i) % all.size());
      if (device.problem() == null && (least == null || isLessUsed(device, least))) {
        least = device;
      }
    }
    // All are lost, and any of them says so.
    Device taken = least == null ? all.get(turn % all.size()) : least;
    turn = all.indexOf(taken) + 1;
    return taken;
  }

  private boolean isLessUsed(Device one, Device other) {
    long tasks = tasksOn(one) - tasksOn(other);
    return tasks < 0 || (tasks == 0 && admitted(one) < admitted(other));
  }

  private long tasksOn(Device device) {
    return Stream.concat(assignments.values().stream().map(Assignment::device), lent.stream())
        .filter(used -> used == device)
        .count();
  }

  private static long admitted(Device device) {
    return device.scanResources().admission().admittedBytes();
  }

  /** Device bytes of what tasks share, in whole MiB. */
  public long reservedBytes() {
    return all.stream().mapToLong(it -> it.scanResources().admission().reservedBytes()).sum();
  }

  /** Whether no scan has device memory. */
  public boolean areIdle() {
    return all.stream().allMatch(device -> device.scanResources().admission().isIdle());
  }

  /** The first device's problem if no device is used any more; null while one is used. */
  @Nullable String problem() {
    boolean used = all.stream().anyMatch(device -> device.problem() == null);
    return used ? null : all.get(0).problem();
  }

  /** For people; while some are used, those that are not with the reason. */
  String names() {
    return all.stream()
        .map(problem() == null ? Devices::nameAndProblem : Device::name)
        .collect(Collectors.joining(", "));
  }

  private static String nameAndProblem(Device device) {
    return device.problem() == null ? device.name() : device.name() + ": " + device.problem();
  }

  private final class Group implements GpuHealth.DeviceGroup {
    @Override
    public void checkContexts() {
      all.forEach(device -> device.health().checkContext());
    }

    @Override
    public String fallbackMessage() {
      return problem() == null
          ? "Scans use the other GPUs"
          : "Scans go on with Spark's own Parquet reader";
    }
  }
}
