package io.mooring.benchmarks.pipeline;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.cli.HarnessHome;
import io.mooring.benchmarks.cli.Limits;
import io.mooring.benchmarks.cli.UserError;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Option;

/** The options of {@link PipelineCommand} as the user gave them. */
final class PipelineOptions {

  @Option(
      names = "--data",
      split = ",",
      paramLabel = "[NAME=]DIR",
      description = "Your own Parquet files instead of generated ones; several sets may be given.")
  List<String> data = List.of();

  @Option(
      names = "--generate",
      paramLabel = "SIZE",
      defaultValue = "1g",
      converter = ByteSize.Converter.class,
      description = "Size of each generated data set (default: ${DEFAULT-VALUE}).")
  ByteSize generate;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description =
          "Where generated files are kept and found again (default:"
              + " <benchmarks>/target/data/pipeline-<size>-<seed>).")
  Path dataDir;

  @Option(
      names = "--seed",
      defaultValue = "42",
      description = "Seed of the generated values (default: ${DEFAULT-VALUE}).")
  long seed;

  @Option(
      names = "--variants",
      split = ",",
      paramLabel = "NAME",
      defaultValue = "snappy,tenths,plain",
      description =
          "Data sets to generate: snappy, tenths (files of a tenth), plain (not compressed)"
              + " (default: ${DEFAULT-VALUE}).")
  List<String> variants;

  @Option(
      names = "--tasks",
      split = ",",
      paramLabel = "N",
      description = "Numbers of concurrent tasks (default: all cores).")
  List<Integer> tasks;

  @Option(
      names = "--repeat",
      split = ",",
      paramLabel = "N",
      defaultValue = "1,4",
      description =
          "How often the pipeline reads the files in one run, for the steady rate"
              + " (default: ${DEFAULT-VALUE}).")
  List<Integer> repeats;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description = "Measured runs of each step (default: ${DEFAULT-VALUE}).")
  int rounds;

  @Option(
      names = "--warmup",
      paramLabel = "N",
      defaultValue = "1",
      description = "Runs before them that count in no figure (default: ${DEFAULT-VALUE}).")
  int warmup;

  @Option(
      names = "--pool-size",
      paramLabel = "SIZE",
      defaultValue = "auto",
      converter = ByteSize.PoolConverter.class,
      description = "spark.mooring.pinnedPool.size (default: ${DEFAULT-VALUE}).")
  String poolSize;

  @Option(
      names = "--cache",
      paramLabel = "SIZE",
      defaultValue = "0",
      converter = ByteSize.PoolConverter.class,
      description =
          "spark.mooring.cache.size, not auto: also measures the pass that fills the cache and one"
              + " that finds it filled (default: ${DEFAULT-VALUE}, neither).")
  String cacheSize;

  @Option(
      names = "--conf",
      paramLabel = "KEY=VALUE",
      description = "A setting of Mooring; may be given several times.")
  Map<String, String> conf = new LinkedHashMap<>();

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      defaultValue = "2g",
      converter = ByteSize.Converter.class,
      description = "Java heap of the measured JVM (default: ${DEFAULT-VALUE}).")
  ByteSize heap;

  /** Refuses numbers that make no sense. */
  void check() {
    Limits.atLeast("--rounds", 1, rounds);
    Limits.atLeast("--warmup", 0, warmup);
    Limits.atLeast("--repeat", 1, repeats);
    Limits.atLeast("--tasks", 1, tasks == null ? List.of(1) : tasks);
    if (cacheSize.equals("auto")) {
      throw UserError.usage(
          "--cache auto keeps nothing of local files, which these are: name a size");
    }
    if (HarnessHome.poolClasses().isEmpty()) {
      throw UserError.usage(
          "no Mooring jar: start through benchmarks/run, or name one in MOORING_JAR");
    }
  }

  /** Whether passes with the cache are measured. */
  boolean withCache() {
    return !cacheSize.equals("0");
  }

  /** Numbers of concurrent tasks, ascending. */
  List<Integer> tasks(int cores) {
    return tasks == null ? List.of(cores) : tasks.stream().distinct().sorted().toList();
  }

  /** The settings that Mooring is started with. */
  Map<String, String> settings() {
    Map<String, String> all = new TreeMap<>();
    all.put("spark.mooring.pinnedPool.size", poolSize);
    all.put("spark.mooring.cache.size", cacheSize);
    all.putAll(conf);
    return all;
  }
}
