package io.mooring.benchmarks.scan;

import io.mooring.benchmarks.cli.InterruptHook;
import io.mooring.benchmarks.data.PageCache;
import io.mooring.benchmarks.measure.Recording;
import io.mooring.benchmarks.worker.WorkerCommand;
import io.mooring.benchmarks.worker.WorkerProcess;
import io.mooring.benchmarks.worker.Workers;
import java.nio.file.Path;
import java.util.Optional;

/** Shared by the steps of one {@code scan}: the plan, the expected results, the recording. */
record ScanSession(
    ScanPlan plan,
    ExpectedResults reference,
    Recording recording,
    Workers workers,
    PageCache cache,
    Optional<Path> peerJar,
    Optional<TraceFile> traceOut,
    Optional<Path> recorder) {

  /** Starts the JVM of an arm; the peer's through SparkSubmit, which it asks for. */
  WorkerProcess launch(Arm arm, int tasks) {
    WorkerCommand plain = WorkerCommand.plain(plan.heap());
    WorkerCommand command =
        arm.kind() == Arm.Kind.PEER ? plain.withJar(peerJar.orElseThrow()) : plain;
    return workers.launch(logName(arm) + "-" + tasks, command);
  }

  private static String logName(Arm arm) {
    return arm.name().replaceAll("[^A-Za-z0-9.=_-]+", "_");
  }

  /** Returns soon; never where Ctrl-C is what ended a worker. */
  void waitIfStopping() {
    InterruptHook.waitIfStopping(workers::isStopping);
  }
}
