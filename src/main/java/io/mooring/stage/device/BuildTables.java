package io.mooring.stage.device;

import ai.rapids.cudf.Cuda;
import io.mooring.expr.DeviceExpr;
import io.mooring.expr.device.SparkFallbackException;
import io.mooring.gpu.JointAcquisition;
import io.mooring.gpu.RefusedException;
import io.mooring.gpu.RoomWait;
import io.mooring.gpu.SharedObjects;
import io.mooring.stage.program.RowOperator;
import io.mooring.stage.program.RowOperator.Join;
import io.mooring.stage.program.StageProgram;
import io.mooring.stage.replicated.ReplacedExchange;
import io.mooring.stage.replicated.ReplicatedBroadcast;
import io.mooring.stage.task.DeviceWork;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.spark.SparkEnv;
import org.apache.spark.SparkThrowable;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.execution.joins.HashedRelation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The build sides that a task uses on its device, shared with other tasks. Belongs to one thread.
 */
public final class BuildTables implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BuildTables.class);
  // A passing fault deserves another try, but not one for each unit of the task.
  private static final int MOST_TRIES = 2;

  private final List<Broadcast<HashedRelation>> broadcasts;
  private final Supplier<SharedObjects> shared;
  private final boolean isForTask;
  private final Map<Key, BuildTable> taken = new HashMap<>();
  private final Map<Key, Integer> failures = new HashMap<>();

  /**
   * The key of a shared table.
   *
   * @param application its id: ids of broadcasts start anew in each application
   */
  private record Key(
      String application, long broadcast, List<DeviceExpr> keys, boolean keysAlone) {}

  private BuildTables(
      List<Broadcast<HashedRelation>> broadcasts,
      Supplier<SharedObjects> shared,
      boolean isForTask) {
    this.broadcasts = List.copyOf(broadcasts);
    this.shared = shared;
    this.isForTask = isForTask;
  }

  /**
   * The build sides of a task's own rows, which wait for room that other tasks hold.
   *
   * @param broadcasts the build sides of a stage, in the order of its joins
   * @param shared the objects that tasks share on this task's device
   */
  public static BuildTables ofTask(
      List<Broadcast<HashedRelation>> broadcasts, Supplier<SharedObjects> shared) {
    return new BuildTables(broadcasts, shared, true);
  }

  /**
   * The build sides for rows that the device keeps, such as the rows of another build side. They do
   * not wait for room: a {@link RefusedException} goes to the work that needs the rows, which gives
   * back what it holds and waits.
   */
  public static BuildTables ofRowsOnDevice(
      List<Broadcast<HashedRelation>> broadcasts, Supplier<SharedObjects> shared) {
    return new BuildTables(broadcasts, shared, false);
  }

  /** No build sides, for operators without joins. */
  static BuildTables none() {
    return new BuildTables(
        List.of(),
        () -> {
          throw new IllegalStateException("There is no join");
        },
        false);
  }

  /**
   * Makes, or waits for, the tables of all joins.
   *
   * @throws SparkFallbackException when one cannot be on the device
   * @throws RefusedException when there is no room, for build sides of {@link #ofRowsOnDevice}
   */
  void prepare(StageProgram program) {
    prepare(program, any -> true);
  }

  /**
   * Does so for some of the joins.
   *
   * @param which tells by the broadcast of a join's build side
   */
  public void prepare(StageProgram program, Predicate<Broadcast<HashedRelation>> which) {
    Map<Key, BuildTableMaker> wanted = new LinkedHashMap<>();
    for (RowOperator operator : program.operators()) {
      if (operator instanceof Join join
          && which.test(broadcasts.get(join.build()))
          && !taken.containsKey(key(join))) {
        wanted.put(key(join), new BuildTableMaker(broadcasts.get(join.build()), join, false));
      }
    }
    if (!wanted.isEmpty()) {
      taken.putAll(isForTask ? awaited(wanted) : acquired(wanted));
    }
  }

  private Map<Key, BuildTable> awaited(Map<Key, BuildTableMaker> wanted) {
    long bytes = wanted.values().stream().mapToLong(BuildTableMaker::expectedBytes).sum();
    JointAcquisition<Key, BuildTable> onDevice = new JointAcquisition<>(shared.get(), wanted);
    try {
      RoomWait wait = RoomWait.ofTables(bytes, onDevice::isSettled, DeviceWork::killIfInterrupted);
      return acquired(onDevice, wanted.keySet(), wait);
    } catch (RefusedException e) {
      LOG.debug("Build sides have no room on the device: {}", e.getMessage());
    }
    Map<Key, BuildTableMaker> makers = new LinkedHashMap<>();
    wanted.forEach((key, maker) -> makers.put(key, maker.byHost()));
    JointAcquisition<Key, BuildTable> byHost = new JointAcquisition<>(shared.get(), makers);
    try {
      return acquired(byHost, wanted.keySet(), RoomWait.none());
    } catch (RefusedException e) {
      byHost.refuseToOthers(e.getMessage());
      throw new SparkFallbackException(e.getMessage());
    }
  }

  /** The tables, without a wait. */
  private Map<Key, BuildTable> acquired(Map<Key, BuildTableMaker> wanted) {
    return acquired(new JointAcquisition<>(shared.get(), wanted), wanted.keySet(), RoomWait.none());
  }

  private Map<Key, BuildTable> acquired(
      JointAcquisition<Key, BuildTable> together, Set<Key> keys, RoomWait wait) {
    if (keys.stream().anyMatch(key -> failures.getOrDefault(key, 0) >= MOST_TRIES)) {
      throw new SparkFallbackException("the build side of a join did not reach the GPU");
    }
    boolean counts = true;
    try {
      Map<Key, BuildTable> all = together.acquire(wait);
      counts = false;
      return all;
    } catch (RefusedException e) {
      counts = !e.isForRoom();
      if (counts) {
        throw new SparkFallbackException(e.getMessage());
      }
      throw e;
    } catch (CancellationException e) {
      throw new SparkFallbackException("the wait for the build side of a join was interrupted");
    } finally {
      if (counts) {
        keys.forEach(key -> failures.merge(key, 1, Integer::sum));
      }
    }
  }

  /**
   * The table that a join probes, which the task holds until {@link #close}. Does not wait for
   * room, because the task holds other tables.
   *
   * @throws SparkFallbackException when it cannot be on the device
   */
  BuildTable of(Join join) {
    Key key = key(join);
    if (!taken.containsKey(key)) {
      BuildTableMaker maker = new BuildTableMaker(broadcasts.get(join.build()), join, false);
      try {
        taken.putAll(acquired(Map.of(key, maker)));
      } catch (RefusedException e) {
        failures.merge(key, 1, Integer::sum);
        throw new SparkFallbackException(e.getMessage());
      }
    }
    return Objects.requireNonNull(taken.get(key));
  }

  /**
   * Whether a failure to make tables is one that Spark raises even if no row reaches the joins.
   * Without adaptive execution it computes all rows that it broadcasts.
   */
  boolean isErrorOfQuery(Throwable failure) {
    return failure instanceof SparkThrowable
        && failure instanceof RuntimeException
        && broadcasts.stream().anyMatch(BuildTables::replacesBroadcast);
  }

  private static boolean replacesBroadcast(Object broadcast) {
    return broadcast instanceof ReplicatedBroadcast own
        && own.replaced() == ReplacedExchange.BROADCAST;
  }

  /** Whether a table that the task has is empty and ends its join. */
  boolean leaveNothing(StageProgram program) {
    return EmptyBuildSides.leaveNothing(program, broadcasts, this::isEmpty);
  }

  private boolean isEmpty(Join join) {
    BuildTable table = taken.get(key(join));
    return table != null && table.isEmpty();
  }

  private Key key(Join join) {
    String application = SparkEnv.get().conf().getAppId();
    long broadcast = broadcasts.get(join.build()).id();
    return new Key(application, broadcast, join.buildKeys(), join.takesKeysAlone());
  }

  /** The bytes on the device of tables that only this task uses now. */
  public long bytesOfOneUser() {
    return taken.isEmpty() ? 0 : shared.get().bytesOfOneUser(taken.keySet());
  }

  @Override
  public void close() {
    if (taken.isEmpty()) {
      return;
    }
    try {
      // Another task may free the tables on its own stream.
      Cuda.DEFAULT_STREAM.sync();
    } catch (RuntimeException e) {
      LOG.debug("The device was lost while tables of joins were used", e);
    }
    taken.keySet().forEach(shared.get()::release);
    taken.clear();
  }
}
