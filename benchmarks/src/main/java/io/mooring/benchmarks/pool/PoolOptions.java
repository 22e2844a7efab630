package io.mooring.benchmarks.pool;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.cli.Limits;
import io.mooring.benchmarks.cli.UserError;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options of {@link PoolCommand} as the user gave them. */
final class PoolOptions {

  private static final long MOST_POOL = 4L << 30;
  private static final long LEAST_POOL = 256L << 20;
  private static final int SHARE_OF_MEMORY = 16;

  @Option(
      names = "--sizes",
      split = ",",
      paramLabel = "SIZE",
      converter = ByteSize.Converter.class,
      description =
          "Pool sizes whose start-up is timed (default: 1g,4g,16g, as far as they fit into half"
              + " of the memory).")
  List<ByteSize> sizes;

  @Option(
      names = "--threads",
      split = ",",
      paramLabel = "N",
      defaultValue = "1,4,16",
      description = "Numbers of threads (default: ${DEFAULT-VALUE}).")
  List<Integer> threads;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description =
          "Measured rounds, of fresh processes and of aged ones; start-up is timed so often for the"
              + " largest size, once for the others"
              + " (default: ${DEFAULT-VALUE}).")
  int rounds;

  @Option(
      names = "--warmup",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Rounds before them that age the allocators and count in no figure"
              + " (default: ${DEFAULT-VALUE}).")
  int warmup;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "0.1",
      description =
          "Length of each timed period of a round, the least of one with fixed work"
              + " (default: ${DEFAULT-VALUE}).")
  double seconds;

  @Option(
      names = "--mixed-seconds",
      paramLabel = "S",
      defaultValue = "4",
      description =
          "Longest time of the mixed run after which fragmentation is looked at; 0 leaves it out"
              + " (default: ${DEFAULT-VALUE}).")
  double mixedSeconds;

  @Option(
      names = "--pool-size",
      paramLabel = "SIZE",
      converter = ByteSize.Converter.class,
      description = "Each pool while it works (default: a 16th of the memory, 256m to 4g).")
  ByteSize poolSize;

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description =
          "Allocation trace to replay, as scan --trace-out writes it (default: one of a real scan).")
  Path trace;

  @Option(
      names = "--seed",
      defaultValue = "42",
      description = "Seed of the drawn sizes (default: ${DEFAULT-VALUE}).")
  long seed;

  /** Refuses numbers that make no sense, before anything is built or started. */
  void check() {
    Limits.atLeast("--rounds", 1, rounds);
    if (warmup < 1) {
      throw UserError.usage("--warmup must be 1 or more, for it is what ages; not " + warmup);
    }
    if (!(seconds > 0)) {
      throw UserError.usage("--seconds must be above 0, not " + seconds);
    }
    if (!(mixedSeconds >= 0)) {
      throw UserError.usage("--mixed-seconds must be 0 or more, not " + mixedSeconds);
    }
    Limits.atLeast("--threads", 1, threads);
    if (trace != null && !Files.isReadable(trace)) {
      throw UserError.usage("cannot read the trace " + trace);
    }
  }

  /** The plan for a machine with so much memory. */
  PoolPlan plan(long memoryBytes, boolean gpu) {
    return new PoolPlan(
        sizes(memoryBytes),
        threads.stream().distinct().sorted().toList(),
        rounds,
        warmup,
        seconds,
        mixedSeconds,
        poolSize != null ? poolSize : defaultPool(memoryBytes),
        seed,
        gpu);
  }

  /** The user's own trace. */
  Optional<Path> ownTrace() {
    return Optional.ofNullable(trace);
  }

  private List<ByteSize> sizes(long memoryBytes) {
    if (sizes != null) {
      return sizes.stream().distinct().toList();
    }
    List<ByteSize> all = List.of("1g", "4g", "16g").stream().map(ByteSize::parse).toList();
    return all.stream().filter(size -> size.bytes() <= memoryBytes / 2).toList();
  }

  private static ByteSize defaultPool(long memoryBytes) {
    long share = memoryBytes / SHARE_OF_MEMORY;
    return ByteSize.ofBytes(Math.max(LEAST_POOL, Math.min(MOST_POOL, share)));
  }
}
