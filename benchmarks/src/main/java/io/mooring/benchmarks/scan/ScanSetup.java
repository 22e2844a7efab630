package io.mooring.benchmarks.scan;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.env.Environment;
import io.mooring.benchmarks.worker.Reply;
import io.mooring.benchmarks.worker.WorkerProcess;
import io.mooring.benchmarks.worker.Workers;
import java.util.List;

/** Everything before the first measured JVM: the files, the reference results, the plan. */
record ScanSetup(ScanOptions options, Environment environment, Workers workers) {

  /** The user's files, or generated ones, made now if they are not there yet. */
  Tables tables() {
    if (!options.data.data.isEmpty()) {
      return Tables.named(options.data.data);
    }
    StoreSalesFolder folder = options.data.generated(environment.cores());
    if (folder.isComplete()) {
      System.err.println("Using " + folder.path());
    } else {
      System.err.println("Generating " + folder.size() + " of store_sales in " + folder.path());
      folder.generate(
          what -> {
            try (WorkerProcess worker = SetupWorker.open(workers, environment, "generate")) {
              worker.ask(what, Reply.Done.class);
            }
          });
    }
    return Tables.of(InputFiles.in(folder.path()));
  }

  /** The queries that these files can answer, and their results by Spark's own reader. */
  Reference reference(Tables tables, List<String> names, List<SqlText> own) {
    System.err.println("Asking Spark's CPU reader for the expected results");
    try (WorkerProcess worker = SetupWorker.open(workers, environment, "reference")) {
      Reference reference = Reference.ask(worker, tables, names, own);
      if (reference.queries().isEmpty()) {
        throw UserError.usage("the data has the columns of none of these queries: " + names);
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
