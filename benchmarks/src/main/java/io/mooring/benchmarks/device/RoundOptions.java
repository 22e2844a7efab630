package io.mooring.benchmarks.device;

import io.mooring.benchmarks.cli.Limits;
import picocli.CommandLine.Option;

/** The options that all commands with the native program share. */
public final class RoundOptions {

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Measured rounds (default: 10, of overlap 7; with --quick 3, of transfer 5).")
  private Integer rounds;

  @Option(
      names = "--warmup",
      paramLabel = "N",
      defaultValue = "1",
      description = "Rounds before them that count in no figure (default: ${DEFAULT-VALUE}).")
  private int warmup;

  @Option(names = "--quick", description = "Less data and fewer rounds: well under a minute.")
  private boolean quick;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "42",
      description = "Seed of the data (default: ${DEFAULT-VALUE}).")
  private long seed;

  /** Refuses values that make no sense. */
  public void check() {
    Limits.atLeast("--rounds", 1, rounds == null ? 1 : rounds);
    Limits.atLeast("--warmup", 0, warmup);
  }

  /** The rounds that the user asked for, else the command's own number. */
  public int rounds(int full, int quickly) {
    return rounds != null ? rounds : quick ? quickly : full;
  }

  /** Rounds that count in no figure. */
  public int warmup() {
    return warmup;
  }

  /** Whether less is measured. */
  public boolean quick() {
    return quick;
  }

  /** Seed of the data that is copied. */
  public long seed() {
    return seed;
  }
}
