package io.mooring.stage;

import io.mooring.gpu.Room;
import io.mooring.stage.program.StageProgram;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.Partition;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.jspecify.annotations.Nullable;

/** The stages that make the partial groups of a final aggregate, and what each reads. Immutable. */
final class GroupStages implements Serializable {
  private static final long serialVersionUID = 1;

  private final ArrayList<StageRdd> stages;
  // Executors have no partitions of a scan but these.
  private final ArrayList<Partition[]> partitions;

  private GroupStages(List<StageRdd> stages) {
    this.stages = new ArrayList<>(stages);
    this.partitions = new ArrayList<>(stages.stream().map(RDD::partitions).toList());
  }

  /** The stages that have partitions, at least one of those that are given; on the driver. */
  static GroupStages of(List<StageRdd> stages) {
    List<StageRdd> read = stages.stream().filter(stage -> stage.partitions().length > 0).toList();
    return new GroupStages(read.isEmpty() ? stages.subList(0, 1) : read);
  }

  /**
   * The reader factory of the first stage: all stages' factories have the context of one session.
   */
  PartitionReaderFactory factory() {
    return stages.get(0).factory();
  }

  /**
   * The program that merges the groups: all stages merge alike. A stage that expands rows may give
   * several groups of one key even in one batch, so the one that expands most decides.
   */
  StageProgram program() {
    return stages.stream()
        .map(StageRdd::program)
        .max(Comparator.comparingInt(StageProgram::expansion))
        .orElseThrow();
  }

  /** What each stage reads; null where only Spark can compute the groups of one. */
  @Nullable List<List<InputPartition>> inputs() {
    List<List<InputPartition>> all = new ArrayList<>();
    for (Partition[] ofStage : partitions) {
      List<InputPartition> inputs = StageRdd.inputs(ofStage);
      if (inputs == null) {
        return null;
      }
      all.add(inputs);
    }
    return all;
  }

  /** Whether a build side, or one below it, is the result of another final aggregate. */
  boolean needAggregates() {
    return stages.stream().anyMatch(StageRdd::needsAggregates);
  }

  /**
   * Makes these build sides on the task's device.
   *
   * @throws io.mooring.gpu.RefusedException when there is no room for one
   */
  void prepareAggregates() {
    stages.forEach(StageRdd::prepareAggregates);
  }

  /**
   * The partial groups of some inputs.
   *
   * @param inputs by stage
   * @param room on the device that reads them
   */
  List<ParallelStageReader.Source> sources(List<List<InputPartition>> inputs, Room room) {
    List<ParallelStageReader.Source> sources = new ArrayList<>();
    for (int i = 0; i < stages.size(); i++) {
      sources.add(stages.get(i).source(partitions.get(i)[0], inputs.get(i), room));
    }
    return sources;
  }
}
