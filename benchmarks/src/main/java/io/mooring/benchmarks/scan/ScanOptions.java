package io.mooring.benchmarks.scan;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.cli.Limits;
import io.mooring.benchmarks.cli.UserError;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@link ScanCommand} as the user gave them. */
final class ScanOptions {

  @Mixin ArmOptions arms;
  @Mixin DataOptions data;

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
      description =
          "Measured runs of each query, arm, task count and process (default: ${DEFAULT-VALUE}).")
  int rounds;

  @Option(
      names = "--processes",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "How often all of it is measured, each time with a fresh JVM of each arm, so that what a"
              + " JVM has by chance averages out (default: ${DEFAULT-VALUE}).")
  int processes;

  @Option(
      names = "--warmup",
      paramLabel = "N",
      defaultValue = "2",
      description = "Runs before them that count in no figure (default: ${DEFAULT-VALUE}).")
  int warmup;

  @Option(
      names = "--copies",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "How often each run starts its query at the same time, as so many users would; it ends"
              + " with the last of them (default: ${DEFAULT-VALUE}).")
  int copies;

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
  void check(List<Arm> chosen) {
    Limits.atLeast("--rounds", 1, rounds);
    Limits.atLeast("--processes", 1, processes);
    if (processes > 1 && exclusive) {
      throw UserError.usage(
          "--exclusive starts a process for each round: raise --rounds, and leave out --processes");
    }
    Limits.atLeast("--warmup", 0, warmup);
    Limits.atLeast("--copies", 1, copies);
    if (traceOut != null && (exclusive || chosen.stream().noneMatch(Arm::hasPool))) {
      throw UserError.usage("--trace-out needs the arm pool, and no --exclusive");
    }
    traceOut();
    data.cold();
    data.store();
    data.checkScale();
    Limits.atLeast("--tasks", 1, tasks(1));
  }

  /** Refuses processes where memory allows one JVM at a time, as with --exclusive. */
  void checkMemory(int count, long memoryBytes) {
    if (processes > 1 && ScanPlan.isMemoryShort(count, memoryBytes)) {
      throw UserError.usage(
          "memory is short, so each round is a process: raise --rounds, and leave out --processes");
    }
  }

  /** The file for a trace, if one is wanted. */
  Optional<TraceFile> traceOut() {
    return Optional.ofNullable(traceOut).map(TraceFile::prepare);
  }
}
