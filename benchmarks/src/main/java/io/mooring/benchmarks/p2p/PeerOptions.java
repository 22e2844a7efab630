package io.mooring.benchmarks.p2p;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.cli.UserError;
import picocli.CommandLine.Option;

/** The options of {@link PeerCommand} as the user gave them. */
final class PeerOptions {

  private static final int PAGE = 4096;

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      converter = ByteSize.Converter.class,
      description = "Bytes of each message, a multiple of 4 KiB (default: 512m; quick: 128m).")
  ByteSize size;

  @Option(
      names = "--gpus",
      paramLabel = "N",
      description = "How many GPUs take part, the first ones (default: all).")
  Integer gpus;

  @Option(
      names = "--halo-row",
      paramLabel = "SIZE",
      converter = ByteSize.Converter.class,
      defaultValue = "8m",
      description =
          "Bytes that neighbours send each other in a step of the halo exchange"
              + " (default: ${DEFAULT-VALUE}).")
  ByteSize haloRow;

  @Option(
      names = "--halo-rows",
      paramLabel = "N",
      defaultValue = "32",
      description = "Rows that each GPU computes in such a step (default: ${DEFAULT-VALUE}).")
  int haloRows;

  @Option(
      names = "--halo-steps",
      paramLabel = "N",
      defaultValue = "20",
      description = "Steps of each run (default: ${DEFAULT-VALUE}).")
  int haloSteps;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Measured samples of each sort (default: 10; quick: 3).")
  Integer rounds;

  @Option(
      names = "--warmup",
      paramLabel = "N",
      defaultValue = "1",
      description = "Rounds before them that count in no figure (default: ${DEFAULT-VALUE}).")
  int warmup;

  @Option(names = "--quick", description = "Smaller messages, fewer rounds.")
  boolean quick;

  @Option(
      names = "--seed",
      defaultValue = "42",
      description = "Seed of the data (default: ${DEFAULT-VALUE}).")
  long seed;

  /** Refuses what makes no sense, before anything is built or started. */
  void check() {
    if (rounds() < 1 || haloSteps < 1) {
      throw UserError.usage("--rounds and --halo-steps must be 1 or more");
    }
    if (haloRows < 2) {
      throw UserError.usage("--halo-rows must be 2 or more, not " + haloRows);
    }
    if (warmup < 0) {
      throw UserError.usage("--warmup must be 0 or more, not " + warmup);
    }
    if (gpus != null && gpus < 1) {
      throw UserError.usage("--gpus must be 1 or more, not " + gpus);
    }
    if (size().bytes() % PAGE != 0 || haloRow.bytes() % PAGE != 0) {
      throw UserError.usage("--size and --halo-row must be multiples of 4 KiB");
    }
  }

  ByteSize size() {
    return size != null ? size : ByteSize.parse(quick ? "128m" : "512m");
  }

  int rounds() {
    return rounds != null ? rounds : quick ? 3 : 10;
  }
}
