package io.mooring.benchmarks.worker;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.env.Environment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A worker with plain Spark on all cores, for what is done before anything is measured. */
public final class SetupWorker {

  private static final long HEAP_PER_CORE = 512L << 20;
  private static final long LEAST_HEAP = 1L << 30;

  private SetupWorker() {}

  /** Starts it with some more settings and jars; the caller closes it. */
  public static WorkerProcess open(
      Workers workers,
      Environment environment,
      String name,
      Map<String, String> conf,
      List<Path> jars) {
    long heap = Math.max(LEAST_HEAP, HEAP_PER_CORE * environment.cores());
    long most = environment.memoryBytes() / 2;
    WorkerCommand command = WorkerCommand.plain(ByteSize.ofBytes(Math.min(heap, most)));
    WorkerProcess worker = workers.launch(name, command.withMore(jars));
    Map<String, String> all = new TreeMap<>(WorkerProcess.COMMON_CONF);
    all.putAll(conf);
    worker.start(environment.cores(), all);
    return worker;
  }
}
