package io.mooring.benchmarks.p2p;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.cli.Limits;
import io.mooring.benchmarks.device.RoundOptions;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@link PeerCommand} as the user gave them. */
final class PeerOptions {

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

  @Mixin RoundOptions common;

  /** Refuses what makes no sense, before anything is built or started. */
  void check() {
    common.check();
    Limits.atLeast("--halo-steps", 1, haloSteps);
    Limits.atLeast("--halo-rows", 2, haloRows);
    Limits.atLeast("--gpus", 1, gpus == null ? 1 : gpus);
    Limits.multipleOfPage("--size", size());
    Limits.multipleOfPage("--halo-row", haloRow);
  }

  ByteSize size() {
    return size != null ? size : ByteSize.parse(common.quick() ? "128m" : "512m");
  }

  int rounds() {
    return common.rounds(10, 3);
  }
}
