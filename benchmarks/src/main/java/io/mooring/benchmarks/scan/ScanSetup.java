package io.mooring.benchmarks.scan;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.env.Environment;
import io.mooring.benchmarks.worker.Reply;
import io.mooring.benchmarks.worker.WorkerCommand;
import io.mooring.benchmarks.worker.WorkerProcess;
import io.mooring.benchmarks.worker.Workers;
import java.util.List;

/** Everything before the first measured JVM: the files, the reference results, the plan. */
record ScanSetup(ScanOptions options, Environment environment, Workers workers) {

  private static final long SETUP_HEAP_PER_CORE = 512L << 20;
  private static final long LEAST_SETUP_HEAP = 1L << 30;

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
            try (WorkerProcess worker = sparkWithAllCores("generate")) {
              worker.ask(what, Reply.Done.class);
            }
          });
    }
    return Tables.of(InputFiles.in(folder.path()));
  }

  /** The queries that these files can answer, and their results by Spark's own reader. */
  Reference reference(Tables tables, List<String> names, List<SqlText> own) {
    System.err.println("Asking Spark's CPU reader for the expected results");
    try (WorkerProcess worker = sparkWithAllCores("reference")) {
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

  private WorkerProcess sparkWithAllCores(String name) {
    long heap = Math.max(LEAST_SETUP_HEAP, SETUP_HEAP_PER_CORE * environment.cores());
    long most = environment.memoryBytes() / 2;
    WorkerProcess worker =
        workers.launch(name, WorkerCommand.plain(ByteSize.ofBytes(Math.min(heap, most))));
    worker.start(environment.cores(), ScanPlan.COMMON);
    return worker;
  }
}
