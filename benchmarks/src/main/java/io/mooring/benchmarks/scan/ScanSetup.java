package io.mooring.benchmarks.scan;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.env.Environment;
import io.mooring.benchmarks.worker.Reply;
import io.mooring.benchmarks.worker.Request;
import io.mooring.benchmarks.worker.WorkerProcess;
import io.mooring.benchmarks.worker.Workers;
import java.nio.file.Path;
import java.util.List;

/** Everything before the first measured JVM: the files, the reference results, the plan. */
record ScanSetup(ScanOptions options, Environment environment, Workers workers) {

  /** The user's files, or generated ones, made now if they are not there yet. */
  Tables tables() {
    if (!options.data.data.isEmpty()) {
      return Tables.named(options.data.data);
    }
    return options.data.suite() == Suite.NDS ? nds() : storeSales();
  }

  private Tables storeSales() {
    StoreSalesFolder folder = options.data.storeSales(environment.cores());
    if (!isComplete(folder.path(), folder.isComplete())) {
      folder.generate(this::generate);
    }
    return Tables.of(InputFiles.in(folder.path()));
  }

  private Tables nds() {
    NdsFolder folder = options.data.nds(environment.cores());
    if (!isComplete(folder.path(), folder.isComplete())) {
      folder.generate(this::generate);
    }
    return folder.tables();
  }

  private boolean isComplete(Path folder, boolean complete) {
    String what = options.data.generate + " of " + options.data.suite + " in ";
    System.err.println((complete ? "Using " : "Generating " + what) + folder);
    return complete;
  }

  private void generate(Request what) {
    try (WorkerProcess worker = SetupWorker.open(workers, environment, "generate")) {
      worker.ask(what, Reply.Done.class);
    }
  }

  /** The queries that these files can answer, and their results by Spark's own reader. */
  Reference reference(Tables tables, QueryChoice choice) {
    System.err.println("Asking Spark's CPU reader for the expected results");
    try (WorkerProcess worker = SetupWorker.open(workers, environment, "reference")) {
      Reference reference = Reference.ask(worker, tables, choice);
      if (reference.queries().isEmpty()) {
        throw UserError.usage(
            "the data has the columns of none of these queries: " + choice.names());
      }
      return reference;
    }
  }

  /** What will run. */
  ScanPlan plan(List<Arm> arms, List<ScanQuery> queries, Tables tables) {
    long memory = environment.memoryBytes();
    boolean exclusive = options.exclusive || ScanPlan.isMemoryShort(arms.size(), memory);
    ByteSize heap =
        options.heap != null
            ? options.heap
            : ScanPlan.defaultHeap(exclusive ? 1 : arms.size(), memory);
    return new ScanPlan(
        arms,
        options.tasks(environment.cores()),
        options.processes,
        options.rounds,
        options.warmup,
        queries,
        tables,
        options.data.cold(),
        options.arms.conf,
        heap,
        exclusive);
  }
}
