package io.mooring.benchmarks.worker;

import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The workers that were started, so that none outlives the harness. */
public final class Workers {

  private final Set<WorkerProcess> started = ConcurrentHashMap.newKeySet();
  private final Path logs;
  private volatile boolean stopping;

  /** {@code logs}: the folder for what the workers print. */
  public Workers(Path logs) {
    this.logs = logs;
  }

  /** The log of CMake for a library that a worker loads. */
  public Path buildLog() {
    return logs.resolve("native-build.log");
  }

  /** Starts one. */
  public WorkerProcess launch(String name, WorkerCommand command) {
    WorkerProcess worker = WorkerProcess.launch(name, command, logs);
    started.add(worker);
    if (stopping) {
      worker.kill(); // it came too late for kill()
    }
    return worker;
  }

  /** Ends all of them at once. */
  public void kill() {
    stopping = true;
    started.forEach(WorkerProcess::kill);
  }

  /** True once {@link #kill} was called. */
  public boolean isStopping() {
    return stopping;
  }
}
