package io.mooring.benchmarks.scan;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.cli.Home;
import io.mooring.benchmarks.cli.UserError;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** The options of {@link ScanCommand} as the user gave them. */
final class ScanOptions {

  @Option(
      names = "--data",
      paramLabel = "PATH",
      description =
          "Your own Parquet files in the shape of store_sales, instead of generated ones.")
  Path data;

  @Option(
      names = "--generate",
      paramLabel = "SIZE",
      defaultValue = "1g",
      converter = ByteSize.Converter.class,
      description = "Size of the generated files (default: ${DEFAULT-VALUE}).")
  ByteSize generate;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description =
          "Where generated files are kept and found again"
              + " (default: <benchmarks>/target/data/store_sales-<size>-<seed>).")
  Path dataDir;

  @Option(
      names = "--seed",
      defaultValue = "42",
      description = "Seed of the generated values (default: ${DEFAULT-VALUE}).")
  long seed;

  @Option(
      names = "--arms",
      split = ",",
      paramLabel = "ARM",
      defaultValue = "no-pool,cudf-default,pool",
      description =
          "Configurations to compare, of no-pool, cudf-default, pool, spark-cpu"
              + " (default: ${DEFAULT-VALUE}).")
  List<String> arms;

  @Option(
      names = "--tasks",
      split = ",",
      paramLabel = "N",
      description = "Numbers of concurrent tasks (default: 1, half the cores, all cores).")
  List<Integer> tasks;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description = "Measured runs of each query, arm and task count (default: ${DEFAULT-VALUE}).")
  int rounds;

  @Option(
      names = "--warmup",
      paramLabel = "N",
      defaultValue = "2",
      description = "Runs before them that count in no figure (default: ${DEFAULT-VALUE}).")
  int warmup;

  @Option(
      names = "--queries",
      split = ",",
      paramLabel = "QUERY",
      defaultValue = "filter,bands,sum,lookup,all",
      description = "Queries to run (default: ${DEFAULT-VALUE}).")
  List<String> queries;

  @Option(
      names = "--pool-size",
      paramLabel = "SIZE",
      defaultValue = "auto",
      converter = ByteSize.PoolConverter.class,
      description = "spark.mooring.pinnedPool.size of the arm pool (default: ${DEFAULT-VALUE}).")
  String poolSize;

  @Option(
      names = "--conf",
      paramLabel = "KEY=VALUE",
      description = "A Spark setting for every arm; may be given several times.")
  Map<String, String> conf = new LinkedHashMap<>();

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      converter = ByteSize.Converter.class,
      description = "Java heap of each measured JVM (default: from the machine's memory).")
  ByteSize heap;

  @Option(
      names = "--exclusive",
      description =
          "One JVM at a time, started anew for each arm and round"
              + " (default: only when memory is short).")
  boolean exclusive;

  @Option(
      names = "--trace-out",
      paramLabel = "FILE",
      description =
          "Runs every query once more under the arm pool with the most tasks, and writes down each"
              + " allocation for `pool --trace`; .gz packs the file.")
  Path traceOut;

  /** Numbers of concurrent tasks, ascending. */
  List<Integer> tasks(int cores) {
    Stream<Integer> wanted =
        tasks == null ? Stream.of(1, Math.max(1, cores / 2), cores) : tasks.stream();
    return wanted.distinct().sorted().toList();
  }

  /** Refuses numbers that make no sense, before anything is built or started. */
  void check() {
    if (rounds < 1) {
      throw UserError.usage("--rounds must be 1 or more, not " + rounds);
    }
    if (warmup < 0) {
      throw UserError.usage("--warmup must be 0 or more, not " + warmup);
    }
    if (traceOut != null && (exclusive || !arms.contains(Arm.POOL))) {
      throw UserError.usage("--trace-out needs the arm pool, and no --exclusive");
    }
    traceOut();
    tasks(1).stream()
        .filter(n -> n < 1)
        .findFirst()
        .ifPresent(
            n -> {
              throw UserError.usage("--tasks must be 1 or more, not " + n);
            });
  }

  /** Where a trace is wanted, if it is. */
  Optional<TraceOut> traceOut() {
    return Optional.ofNullable(traceOut).map(TraceOut::prepare);
  }

  /** The user's own files, if any. */
  Optional<Path> ownData() {
    return Optional.ofNullable(data);
  }

  /** Where the generated data set is or will be. */
  StoreSalesFolder generated(int cores) {
    String name = "store_sales-" + generate.text() + "-" + seed;
    Path folder = dataDir != null ? dataDir : Home.folder().resolve("target/data").resolve(name);
    return new StoreSalesFolder(folder.toAbsolutePath().normalize(), generate, seed, cores);
  }
}
