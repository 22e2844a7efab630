package io.mooring.benchmarks.scan;

import io.mooring.benchmarks.cli.OnInterrupt;
import io.mooring.benchmarks.report.Recording;
import io.mooring.benchmarks.worker.WorkerCommand;
import io.mooring.benchmarks.worker.WorkerProcess;
import io.mooring.benchmarks.worker.Workers;
import java.nio.file.Path;
import java.util.Optional;

/** What the steps of one {@code scan} share: the plan, the truth, and where rows go. */
record ScanSession(
    ScanPlan plan,
    Reference reference,
    Recording recording,
    Workers workers,
    PageCache cache,
    Optional<Path> peerJar,
    Optional<TraceOut> traceOut,
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
    OnInterrupt.waitIfStopping(workers::isStopping);
  }
}
