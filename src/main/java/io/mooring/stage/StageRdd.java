package io.mooring.stage;

import io.mooring.expr.device.DeviceBatch;
import io.mooring.gpu.Room;
import io.mooring.gpu.SharedObjects;
import io.mooring.scan.fallback.FallbackPartition;
import io.mooring.stage.device.BuildTables;
import io.mooring.stage.device.DeviceOperators;
import io.mooring.stage.device.DeviceRowSource;
import io.mooring.stage.device.EmptyBuildSides;
import io.mooring.stage.program.StageProgram;
import io.mooring.stage.replicated.ReplicatedBroadcast;
import io.mooring.stage.task.DeviceWork;
import io.mooring.stage.task.StageOperators;
import io.mooring.stage.task.StageReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.spark.InterruptibleIterator;
import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.DeterministicLevel;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.execution.joins.HashedRelation;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.util.TaskCompletionListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Enumeration;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * The rows that leave a stage. Its partitions are those of the replaced operators' RDD, which
 * computes a partition, or some files of it, where the GPU does not.
 */
final class StageRdd extends RDD<InternalRow> implements DeviceRowSource {
  private static final long serialVersionUID = 1;
  private static final Logger LOG = LoggerFactory.getLogger(StageRdd.class);
  private static final ClassTag<InternalRow> ROW = ClassTag$.MODULE$.apply(InternalRow.class);

  private final PartitionReaderFactory factory;
  private final StageProgram program;
  private final ArrayList<Broadcast<HashedRelation>> broadcasts;
  private final StageMetrics metrics;

  /**
   * @param broadcasts the build sides of the program's joins, in order
   */
  StageRdd(
      RDD<InternalRow> bySpark,
      PartitionReaderFactory factory,
      StageProgram program,
      List<Broadcast<HashedRelation>> broadcasts,
      StageMetrics metrics) {
    super(bySpark, ROW);
    this.factory = factory;
    this.program = program;
    this.broadcasts = new ArrayList<>(broadcasts);
    this.metrics = metrics;
  }

  @Override
  public Partition[] getPartitions() {
    return firstParent(ROW).partitions();
  }

  @Override
  public Enumeration.Value getOutputDeterministicLevel() {
    Enumeration.Value level = super.getOutputDeterministicLevel();
    return program.keepsOrder() ? level : anyOrder(level);
  }

  /** The level of the same rows where hash tables of a GPU give them, in any order. */
  static Enumeration.Value anyOrder(Enumeration.Value level) {
    return level.equals(DeterministicLevel.DETERMINATE()) ? DeterministicLevel.UNORDERED() : level;
  }

  @Override
  public scala.collection.Iterator<InternalRow> compute(Partition partition, TaskContext context) {
    StageReader reader = reader(partition, context);
    if (reader == null) {
      return counted(bySpark(partition, context));
    }
    context.addTaskCompletionListener(
        (TaskCompletionListener)
            ended -> {
              reader.close();
              metrics.add(reader.counters(), reader.scanMetrics());
            });
    return new InterruptibleIterator<>(context, CollectionConverters.asScala(reader));
  }

  private scala.collection.Iterator<InternalRow> bySpark(Partition partition, TaskContext context) {
    return EmptyBuildSides.leaveNothing(program, broadcasts)
        ? CollectionConverters.asScala(ofNothing(program))
        : firstParent(ROW).iterator(partition, context);
  }

  /** What leaves the stage if no row reaches its end. */
  private static Iterator<InternalRow> ofNothing(StageProgram program) {
    return program.givesARow()
        ? List.<InternalRow>of(program.groupOfNothing()).iterator()
        : Collections.emptyIterator();
  }

  @Override
  public @Nullable List<DeviceBatch> onDevice(Partition[] partitions, Room room) {
    // Several units may have groups of one key, which are not the rows of the replaced operators.
    ParallelStageReader.Source source =
        program.aggregate() == null ? source(partitions, room) : null;
    if (source == null) {
      return null;
    }
    try (PreparedSources prepared = PreparedSources.of(List.of(source))) {
      return ParallelStageReader.read(prepared, TaskThreads.besideOtherTasks());
    }
  }

  @Override
  public boolean needsMoreRoomThanRows() {
    return !broadcasts.isEmpty();
  }

  /** Whether a build side, or one below it, is the result of a final aggregate. */
  boolean needsAggregates() {
    return broadcasts.stream()
        .map(StageRdd::rowsOf)
        .anyMatch(
            rows ->
                rows instanceof FinalStageRdd
                    || (rows instanceof StageRdd below && below.needsAggregates()));
  }

  /**
   * Makes these build sides on the task's device.
   *
   * @throws io.mooring.gpu.RefusedException when there is no room for one
   */
  void prepareAggregates() {
    broadcasts.stream()
        .map(StageRdd::rowsOf)
        .filter(StageRdd.class::isInstance)
        .forEach(below -> ((StageRdd) below).prepareAggregates());
    try (BuildTables builds = BuildTables.ofRowsOnDevice(broadcasts, DeviceWork.objects(factory))) {
      StageSource.attempt(
          () -> builds.prepare(program, build -> rowsOf(build) instanceof FinalStageRdd),
          any -> false);
    }
  }

  /** The rows of a build side that executors read; null for one of Spark's broadcasts. */
  private static @Nullable RDD<InternalRow> rowsOf(Broadcast<HashedRelation> build) {
    Object any = build;
    return any instanceof ReplicatedBroadcast own ? own.rows() : null;
  }

  /** The reader of the scan's files on executors. */
  PartitionReaderFactory factory() {
    return factory;
  }

  StageProgram program() {
    return program;
  }

  /**
   * The rows, or partial groups, of some partitions for the device; null where only Spark can
   * compute them.
   */
  ParallelStageReader.@Nullable Source source(Partition[] partitions, Room room) {
    List<InputPartition> inputs = inputs(partitions);
    return inputs == null ? null : source(partitions[0], inputs, room);
  }

  /** What some partitions read; null where only Spark can read them. */
  static @Nullable List<InputPartition> inputs(Partition[] partitions) {
    boolean ours = Arrays.stream(partitions).allMatch(DataSourcePartitions::isOfScan);
    if (!ours || partitions.length == 0) {
      return null;
    }
    List<InputPartition> inputs = new ArrayList<>();
    Arrays.stream(partitions).forEach(it -> inputs.addAll(DataSourcePartitions.inputs(it)));
    return inputs;
  }

  /**
   * The rows, or partial groups, of some inputs for the device.
   *
   * @param any one of the stage's partitions
   */
  ParallelStageReader.Source source(Partition any, List<InputPartition> inputs, Room room) {
    StageReader.Work work =
        work(any, TaskContext.get(), shared -> BuildTables.ofRowsOnDevice(broadcasts, shared));
    return new StageSource(factory, inputs, work, program, room, metrics);
  }

  /** The work of a task on a partition. */
  StageReader.Work work(Partition partition, TaskContext context) {
    return work(partition, context, shared -> BuildTables.ofTask(broadcasts, shared));
  }

  private StageReader.Work work(
      Partition partition,
      TaskContext context,
      Function<Supplier<SharedObjects>, BuildTables> builds) {
    return new Work(
        firstParent(ROW), partition.index(), context, program, List.copyOf(broadcasts), builds);
  }

  /** The reader; null without a usable GPU, and for a partition of a scan without files. */
  private @Nullable StageReader reader(Partition partition, TaskContext context) {
    if (!DataSourcePartitions.isOfScan(partition)) {
      return null;
    }
    return StageReader.open(
        factory, DataSourcePartitions.inputs(partition), work(partition, context));
  }

  private scala.collection.Iterator<InternalRow> counted(
      scala.collection.Iterator<InternalRow> rows) {
    metrics.sparkSplits().add(1);
    return rows.map(
        new scala.runtime.AbstractFunction1<>() {
          @Override
          public InternalRow apply(InternalRow row) {
            metrics.rowsOut().add(1);
            return row;
          }
        });
  }

  /** The work of a task for its reader. */
  private record Work(
      RDD<InternalRow> spark,
      int index,
      TaskContext context,
      StageProgram program,
      List<Broadcast<HashedRelation>> broadcasts,
      Function<Supplier<SharedObjects>, BuildTables> builds)
      implements StageReader.Work {
    // What operators need is estimated, and threads that read build sides come beside the tasks.
    private static final int SHARES = 2;

    @Override
    public StageOperators operators(Supplier<SharedObjects> shared) {
      return DeviceOperators.ofUnits(
          program,
          builds.apply(shared),
          () -> shared.get().unreservedBytes() / SHARES / TaskThreads.concurrentTasks());
    }

    @Override
    public List<DataType> types() {
      return program.output();
    }

    @Override
    public boolean givesARow() {
      return program.givesARow();
    }

    @Override
    public boolean endsInTop() {
      return program.top() != null;
    }

    @Override
    public Iterator<InternalRow> bySpark(InputPartition files) {
      // For no files, Spark's joins would read replicated build sides into the heap.
      boolean isRowOfNothing = givesARow() && ((FallbackPartition) files).splits().isEmpty();
      if (isRowOfNothing || EmptyBuildSides.leaveNothing(program, broadcasts)) {
        return ofNothing(program);
      }
      return CollectionConverters.asJava(
          spark.iterator(DataSourcePartitions.of(index, files), context));
    }
  }
}
