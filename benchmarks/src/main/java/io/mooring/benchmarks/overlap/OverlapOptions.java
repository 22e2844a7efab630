package io.mooring.benchmarks.overlap;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.cli.UserError;
import java.util.List;
import picocli.CommandLine.Option;

/** The options of {@link OverlapCommand} as the user gave them. */
final class OverlapOptions {

  private static final List<String> LOADS = List.of("work", "delay");
  private static final int PAGE = 4096;
  private static final int MOST_STAGING_THREADS = 12;

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      converter = ByteSize.Converter.class,
      description = "Data that is copied and worked on (default: 4g; quick: 1g).")
  ByteSize size;

  @Option(
      names = "--chunk",
      paramLabel = "SIZE",
      converter = ByteSize.Converter.class,
      description = "Length of each copy (default: 4m).")
  ByteSize chunk;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Threads that stage in the pipeline (default: the cores but two, 12 at most).")
  Integer threads;

  @Option(
      names = "--load",
      paramLabel = "KIND",
      defaultValue = "work",
      description =
          "What the device does with each chunk: work, a kernel that reads and writes all of it, or"
              + " delay, a kernel that waits (default: ${DEFAULT-VALUE}).")
  String load;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Measured runs of each method (default: 7; quick: 3).")
  Integer rounds;

  @Option(
      names = "--warmup",
      paramLabel = "N",
      defaultValue = "1",
      description = "Rounds before them that count in no figure (default: ${DEFAULT-VALUE}).")
  int warmup;

  @Option(
      names = "--device",
      paramLabel = "N",
      defaultValue = "0",
      description = "Index of the GPU (default: ${DEFAULT-VALUE}).")
  int device;

  @Option(names = "--quick", description = "Less data, fewer rounds.")
  boolean quick;

  @Option(
      names = "--seed",
      defaultValue = "42",
      description = "Seed of the data (default: ${DEFAULT-VALUE}).")
  long seed;

  /** Refuses what makes no sense, before anything is built or started. */
  void check() {
    if (rounds() < 1) {
      throw UserError.usage("--rounds must be 1 or more, not " + rounds);
    }
    if (warmup < 0 || device < 0) {
      throw UserError.usage("--warmup and --device must be 0 or more");
    }
    if (threads() < 1) {
      throw UserError.usage("--threads must be 1 or more, not " + threads);
    }
    if (!LOADS.contains(load)) {
      throw UserError.usage("--load has no '" + load + "'; there are " + LOADS);
    }
    if (chunk().bytes() % PAGE != 0 || size().bytes() % chunk().bytes() != 0) {
      throw UserError.usage("--chunk must be a multiple of 4 KiB, and --size one of --chunk");
    }
  }

  ByteSize size() {
    return size != null ? size : ByteSize.parse(quick ? "1g" : "4g");
  }

  ByteSize chunk() {
    return chunk != null ? chunk : ByteSize.parse("4m");
  }

  int rounds() {
    return rounds != null ? rounds : quick ? 3 : 7;
  }

  /** One core feeds the device, one is left to the system. */
  int threads() {
    int spare = Runtime.getRuntime().availableProcessors() - 2;
    return threads != null ? threads : Math.max(1, Math.min(MOST_STAGING_THREADS, spare));
  }
}
