package io.mooring.benchmarks.scan;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.data.InputFiles;
import io.mooring.benchmarks.data.StoreSalesFolder;
import io.mooring.benchmarks.data.SuiteFolder;
import io.mooring.benchmarks.data.Tables;
import io.mooring.benchmarks.env.Environment;
import io.mooring.benchmarks.query.QuerySelection;
import io.mooring.benchmarks.query.ScanQuery;
import io.mooring.benchmarks.store.ShapedStore;
import io.mooring.benchmarks.worker.Reply;
import io.mooring.benchmarks.worker.Request;
import io.mooring.benchmarks.worker.SetupWorker;
import io.mooring.benchmarks.worker.WorkerProcess;
import io.mooring.benchmarks.worker.Workers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Everything before the first measured JVM: the files, the reference results, the plan. */
record ScanSetup(ScanOptions options, Environment environment, Workers workers) {

  /** The user's files, or generated ones, made now if they are not there yet. */
  Tables tables() {
    if (!options.data.data.isEmpty()) {
      return Tables.named(options.data.data);
    }
    return options.data.suite().isStandard() ? standard() : storeSales();
  }

  private Tables storeSales() {
    StoreSalesFolder folder = options.data.storeSales(environment.cores());
    if (!isComplete(folder.path(), folder.isComplete())) {
      folder.generate(this::generate);
    }
    return Tables.of(InputFiles.in(folder.path()));
  }

  private Tables standard() {
    SuiteFolder folder = options.data.standard(environment.cores());
    if (!isComplete(folder.path(), folder.isComplete())) {
      folder.generate();
    }
    return folder.tables();
  }

  /** The folder of tables that the harness has generated, if the queries read nothing else. */
  private Optional<Path> generated(Tables tables) {
    DataOptions data = options.data;
    if (!data.data.isEmpty() || !tables.views().isEmpty()) {
      return Optional.empty();
    }
    return data.suite().isStandard()
        ? Optional.of(data.standard(environment.cores()))
            .filter(SuiteFolder::isGenerated)
            .map(SuiteFolder::path)
        : Optional.of(data.storeSales(environment.cores()).path());
  }

  private boolean isComplete(Path folder, boolean complete) {
    DataOptions data = options.data;
    Object size = data.suite().isStandard() ? "scale " + data.scale : data.generate;
    String what = size + " of " + data.suite + " in ";
    System.err.println((complete ? "Using " : "Generating " + what) + folder);
    return complete;
  }

  private void generate(Request what) {
    try (WorkerProcess worker = open("generate", Map.of(), List.of())) {
      worker.ask(what, Reply.Done.class);
    }
  }

  /** The queries that these files can answer, and their results by Spark's own reader. */
  ExpectedResults reference(Tables tables, QuerySelection choice) {
    System.err.println("Asking Spark's CPU reader for the expected results");
    Map<String, String> conf = new TreeMap<>(tables.conf());
    conf.putAll(sqlConf());
    try (WorkerProcess worker = open("reference", conf, options.arms.jars())) {
      String version = worker.rows("SELECT version()").toString();
      StoredResults stored = StoredResults.of(generated(tables), version, conf);
      ExpectedResults reference = ExpectedResults.ask(worker, tables, choice, stored);
      if (reference.queries().isEmpty()) {
        throw UserError.usage(
            "the data has the columns of none of these queries: " + choice.names());
      }
      return reference;
    }
  }

  private WorkerProcess open(String name, Map<String, String> conf, List<Path> jars) {
    return SetupWorker.open(workers, environment, name, conf, jars);
  }

  /** The user's settings that may change results: Spark's own reader gets them too. */
  private Map<String, String> sqlConf() {
    Map<String, String> conf = new TreeMap<>(options.arms.conf);
    conf.keySet().removeIf(key -> !key.startsWith("spark.sql."));
    return conf;
  }

  /** The plan of what will run. */
  ScanPlan plan(
      List<Arm> arms, List<ScanQuery> queries, Tables tables, Optional<ShapedStore> store) {
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
        options.copies,
        options.data.suite(),
        queries,
        tables,
        options.data.cold(),
        store.map(ShapedStore::sparkConf).orElse(Map.of()),
        options.arms.conf,
        heap,
        exclusive);
  }
}
