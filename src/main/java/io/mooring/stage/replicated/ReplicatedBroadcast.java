package io.mooring.stage.replicated;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.Partition;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.plans.physical.BroadcastMode;
import org.apache.spark.sql.execution.joins.EmptyHashedRelation$;
import org.apache.spark.sql.execution.joins.HashedRelation;
import org.apache.spark.sql.execution.joins.HashedRelationBroadcastMode;
import org.apache.spark.storage.BroadcastBlockId;
import org.apache.spark.storage.DiskBlockManager;
import org.apache.spark.storage.StorageLevel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;

/**
 * A broadcast whose value each executor makes itself when a task first needs it, out of all
 * partitions of an RDD without shuffles. Only the recipe travels. The executor's block manager
 * keeps the value, as it does those of Spark's broadcasts; when it was dropped, it is made anew.
 * Thread-safe.
 */
public final class ReplicatedBroadcast extends Broadcast<Object> {
  private static final long serialVersionUID = 1;
  // Above all ids of Spark's own broadcasts.
  private static final AtomicLong NEXT_ID = new AtomicLong(1L << 62);
  private static final Logger LOG = LoggerFactory.getLogger(ReplicatedBroadcast.class);

  /** The name of the mark of {@link #keepMark} among the blocks of a broadcast. */
  public static final String MARK = "device";

  private final RDD<InternalRow> rows;
  // Executors have no partitions of a scan but these.
  private final Partition[] partitions;
  private final BroadcastMode mode;
  private final BuildSize size;
  private final ReplacedExchange replaced;
  private final ReplicatedMetrics metrics;

  private ReplicatedBroadcast(
      RDD<InternalRow> rows,
      BroadcastMode mode,
      BuildSize size,
      ReplacedExchange replaced,
      ReplicatedMetrics metrics) {
    super(NEXT_ID.getAndIncrement(), ClassTag$.MODULE$.apply(Object.class));
    this.rows = rows;
    this.partitions = rows.partitions();
    this.mode = mode;
    this.size = size;
    this.replaced = replaced;
    this.metrics = metrics;
  }

  /**
   * Creates the broadcast on the driver. Executors free it at the latest when nothing on the driver
   * refers to it any more.
   *
   * @param size estimated, and the most bytes of rows that a relation on the heap may have
   * @param replaced what Spark would plan for the build side
   */
  static ReplicatedBroadcast create(
      SparkContext context,
      RDD<InternalRow> rows,
      BroadcastMode mode,
      BuildSize size,
      ReplacedExchange replaced,
      ReplicatedMetrics metrics) {
    ReplicatedBroadcast created = new ReplicatedBroadcast(rows, mode, size, replaced, metrics);
    if (context.cleaner().isDefined()) {
      context.cleaner().get().registerBroadcastForCleanup(created);
    }
    return created;
  }

  /**
   * Puts a mark into this executor's block manager, which is removed when the driver frees the
   * broadcast. The mark stands for a copy elsewhere, such as on a device. A task that was killed
   * leaves none.
   */
  public void keepMark() {
    BroadcastBlockId mark = new BroadcastBlockId(id(), MARK);
    if (SparkEnv.get().blockManager().getStatus(mark).isEmpty()) {
      ExecutorRelations.put(mark, id(), StorageLevel.MEMORY_AND_DISK(), TaskContext.get());
    }
  }

  /** Adds a build of a task outside of this class, such as on a device, to the node's metrics. */
  public void built(long count, long bytes, long nanos) {
    metrics.add(count, bytes, TimeUnit.NANOSECONDS.toMillis(nanos));
  }

  /** The estimated size of the build side. */
  public BuildSize size() {
    return size;
  }

  /** What Spark would plan for the build side. */
  public ReplacedExchange replaced() {
    return replaced;
  }

  /** Whether the build side has no rows; the first task of an executor that asks reads them. */
  public boolean isEmpty() {
    return ((ReplicatedRelation) getValue()).rows() instanceof EmptyHashedRelation$;
  }

  /** The rows of the build side, for {@link #partitions()}. */
  public RDD<InternalRow> rows() {
    return rows;
  }

  /** The partitions of {@link #rows()}, which an executor could not compute. */
  public Partition[] partitions() {
    return partitions.clone();
  }

  /**
   * A {@link ReplicatedRelation}. In a task it has the rows, which are read first if this executor
   * does not have them; elsewhere, as on the driver where code for joins is generated, it has none.
   */
  @Override
  public Object getValue() {
    TaskContext task = TaskContext.get();
    return task == null
        ? ReplicatedRelation.elsewhere()
        : new ReplicatedRelation(ExecutorRelations.get(id(), task, () -> build(task)));
  }

  private HashedRelation build(TaskContext task) {
    long start = System.nanoTime();
    BuildSideRows read = null;
    HashedRelation created;
    try (HeapBuilds.Build build = HeapBuilds.OF_EXECUTOR.begin()) {
      read = new BuildSideRows(rows, partitions, task, size.mostBytes(), build::fits);
      created = (HashedRelation) mode.transform(CollectionConverters.asScala(read), Option.empty());
    } catch (BuildTooLargeException e) {
      LOG.info(
          "A join's build side is too large for the heap and kept in files: {}", e.getMessage());
      read = new BuildSideRows(rows, partitions, task, Long.MAX_VALUE, (count, bytes) -> true);
      created = inFiles(read, task);
    }
    long time = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    metrics.add(read.count(), read.bytes(), time);
    return created;
  }

  private HashedRelation inFiles(BuildSideRows read, TaskContext task) {
    DiskBlockManager disk = SparkEnv.get().blockManager().diskBlockManager();
    var keys = ((HashedRelationBroadcastMode) mode).key();
    return new MappedHashedRelationBuilder(
            keys, () -> disk.createTempLocalBlock()._2().toPath(), task::killTaskIfInterrupted)
        .build(read);
  }

  @Override
  public void doUnpersist(boolean blocking) {
    // Executors can make the value anew.
    SparkEnv.get().broadcastManager().unbroadcast(id(), true, blocking);
  }

  @Override
  public void doDestroy(boolean blocking) {
    doUnpersist(blocking);
  }

  /** Thrown when a build side has too many bytes of rows for a relation on the heap. */
  static final class BuildTooLargeException extends RuntimeException {
    private static final long serialVersionUID = 1;

    BuildTooLargeException(long bytes) {
      super("rows of " + bytes + " bytes", null, false, false);
    }
  }
}
