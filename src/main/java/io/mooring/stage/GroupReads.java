package io.mooring.stage;

import io.mooring.expr.device.DeviceBatch;
import io.mooring.gpu.LentDevice;
import io.mooring.gpu.Room;
import io.mooring.stage.task.DeviceWork;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.connector.read.InputPartition;
import org.jspecify.annotations.Nullable;

/**
 * Reads the partial groups of a final aggregate to the task's GPU. GPUs of this process that no
 * task uses read a part each; what one of them did not read, the task's GPU reads afterwards.
 * Belongs to the thread of the task.
 */
final class GroupReads implements AutoCloseable {
  private final GroupStages groups;
  private final int threads;
  private long groupsOfOthers;
  private final List<OtherGpuRead> others = new ArrayList<>();
  private final List<List<List<InputPartition>>> parts = new ArrayList<>();

  /**
   * @param lent beside the task's GPU
   * @param threads the most that decode at a time on each GPU
   */
  private GroupReads(
      GroupStages groups, List<List<InputPartition>> inputs, List<LentDevice> lent, int threads) {
    this.groups = groups;
    this.threads = threads;
    int count = 1 + lent.size();
    for (int i = 0; i < count; i++) {
      parts.add(part(inputs, i, count));
    }
    for (int i = 0; i < lent.size(); i++) {
      others.add(new OtherGpuRead(lent.get(i), groups, parts.get(i + 1), threads));
    }
  }

  /** Every so many inputs of each stage. */
  private static List<List<InputPartition>> part(
      List<List<InputPartition>> inputs, int first, int step) {
    List<List<InputPartition>> part = new ArrayList<>();
    for (List<InputPartition> ofStage : inputs) {
      List<InputPartition> some = new ArrayList<>();
      for (int i = first; i < ofStage.size(); i += step) {
        some.add(ofStage.get(i));
      }
      part.add(some);
    }
    return part;
  }

  /**
   * Has other GPUs begin to read.
   *
   * @param isOnlyTask whether the calling thread's task is the only one of its job
   * @return null where only Spark can compute the groups
   * @throws io.mooring.gpu.RefusedException when there is no room for a build side that all GPUs
   *     make together
   */
  static @Nullable GroupReads start(GroupStages groups, boolean isOnlyTask) {
    List<List<InputPartition>> inputs = groups.inputs();
    if (inputs == null) {
      return null;
    }
    if (!isOnlyTask) {
      return new GroupReads(groups, inputs, List.of(), TaskThreads.besideOtherTasks());
    }
    List<LentDevice> lent = DeviceWork.idleDevices(groups.factory(), inputs);
    if (!lent.isEmpty() && groups.needAggregates()) {
      // All GPUs make these together, and take copies of their results.
      lent.forEach(LentDevice::close);
      groups.prepareAggregates();
      lent = DeviceWork.idleDevices(groups.factory(), inputs);
    }
    GroupReads reads =
        new GroupReads(groups, inputs, lent, TaskThreads.ofOnlyTask(1 + lent.size()));
    reads.others.forEach(OtherGpuRead::start);
    return reads;
  }

  /**
   * Makes the build sides that the groups need on the task's GPU.
   *
   * @throws io.mooring.gpu.RefusedException when there is no room for one
   */
  void prepare(Room room) {
    PreparedSources.of(groups.sources(parts.get(0), room)).close();
  }

  /**
   * All groups on the task's GPU, which the caller closes; null where only Spark can compute some.
   *
   * @throws io.mooring.gpu.RefusedException when there is no room
   */
  @Nullable List<DeviceBatch> all(Room room) {
    List<DeviceBatch> all = new ArrayList<>();
    boolean complete = false;
    try {
      boolean read = addRead(parts.get(0), room, all);
      for (OtherGpuRead other : others) {
        read = read && addRead(takenOf(other, room, all), room, all);
      }
      complete = read;
      return read ? all : null;
    } finally {
      if (!complete) {
        all.forEach(DeviceBatch::close);
      }
    }
  }

  /** Adds the groups of another GPU, and returns what it did not read. */
  private List<List<InputPartition>> takenOf(OtherGpuRead other, Room room, List<DeviceBatch> all) {
    int before = all.size();
    List<List<InputPartition>> left = other.addTo(all, room);
    groupsOfOthers += all.subList(before, all.size()).stream().mapToLong(DeviceBatch::rows).sum();
    return left;
  }

  /** How many groups other GPUs have made; after {@link #all}. */
  long groupsOfOthers() {
    return groupsOfOthers;
  }

  /** Reads on the task's GPU; false where only Spark can compute the groups. */
  private boolean addRead(List<List<InputPartition>> inputs, Room room, List<DeviceBatch> all) {
    if (!all.isEmpty() && inputs.stream().allMatch(List::isEmpty)) {
      return true;
    }
    try (PreparedSources prepared = PreparedSources.of(groups.sources(inputs, room))) {
      List<DeviceBatch> read = ParallelStageReader.read(prepared, threads);
      return read != null && all.addAll(read);
    }
  }

  @Override
  public void close() {
    others.forEach(OtherGpuRead::interrupt);
    others.forEach(OtherGpuRead::close);
  }
}
