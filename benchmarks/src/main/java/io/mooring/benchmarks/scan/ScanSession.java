package io.mooring.benchmarks.scan;

import io.mooring.benchmarks.cli.InterruptHook;
import io.mooring.benchmarks.data.PageCache;
import io.mooring.benchmarks.measure.Recording;
import io.mooring.benchmarks.store.ShapedStore;
import io.mooring.benchmarks.worker.WorkerCommand;
import io.mooring.benchmarks.worker.WorkerProcess;
import io.mooring.benchmarks.worker.Workers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Shared by the steps of one {@code scan}: the plan, the expected results, the recording.
 *
 * @param store the store from which every arm reads the files; empty for files of this machine
 * @param jars that every worker needs besides its own: the user's, and those of S3A for the store
 */
record ScanSession(
    ScanPlan plan,
    ExpectedResults reference,
    Recording recording,
    Workers workers,
    PageCache cache,
    Optional<ShapedStore> store,
    List<Path> jars,
    Optional<Path> peerJar,
    Optional<TraceFile> traceOut,
    Optional<Path> recorder)
    implements AutoCloseable {
  private static final int MAX_LOG_NAME = 150;

  /** Starts the JVM of an arm; the peer's through SparkSubmit, which it asks for. */
  WorkerProcess launch(Arm arm, int tasks) {
    WorkerCommand plain = WorkerCommand.plain(plan.heap()).withMore(jars);
    WorkerCommand command =
        arm.kind() == Arm.Kind.PEER ? plain.withJar(peerJar.orElseThrow()) : plain;
    return workers.launch(logName(arm) + "-" + tasks, command);
  }

  /**
   * The addresses of the tables. In a store, each call gives addresses that no arm has read from
   * before.
   */
  Map<String, String> locations() {
    return store.map(ShapedStore::newLocations).orElseGet(plan.tables()::locations);
  }

  /** All settings for the report. */
  Map<String, Object> configuration() {
    Map<String, Object> all = plan.configuration();
    store.ifPresent(running -> all.put("store", running.shape().text()));
    return all;
  }

  /** Stops the store. */
  @Override
  public void close() {
    store.ifPresent(ShapedStore::close);
  }

  /**
   * A file name that no other arm has: file systems take at most 255 bytes, settings are longer.
   */
  static String logName(Arm arm) {
    String name = arm.name().replaceAll("[^A-Za-z0-9.=_-]+", "_");
    return name.length() <= MAX_LOG_NAME
        ? name
        : name.substring(0, MAX_LOG_NAME) + "_" + Integer.toHexString(arm.name().hashCode());
  }

  /** Returns soon; never where Ctrl-C is what ended a worker. */
  void waitIfStopping() {
    InterruptHook.waitIfStopping(workers::isStopping);
  }
}
