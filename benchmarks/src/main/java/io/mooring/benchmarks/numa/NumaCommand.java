package io.mooring.benchmarks.numa;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.cli.OutputFolder;
import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.device.DeviceMeasurement;
import io.mooring.benchmarks.env.NumaNodes;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./benchmarks/run numa}: what it costs when memory lies on another node than the GPU. */
@Command(
    name = "numa",
    description =
        "Times verified copies between each NUMA node's memory and each GPU, alone and with all GPUs"
            + " at once.",
    footer = "Exits 0 when every copy was made and right, or there is one node or no GPU; else 1.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class NumaCommand implements Callable<Integer> {

  private static final int PAGE = 4096;

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      converter = ByteSize.Converter.class,
      defaultValue = "256m",
      description = "Bytes of each copy, a multiple of 4 KiB (default: ${DEFAULT-VALUE}).")
  private ByteSize size;

  @Option(
      names = "--copies",
      paramLabel = "N",
      defaultValue = "16",
      description = "Copies one after the other in each sample (default: ${DEFAULT-VALUE}).")
  private int copies;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Measured samples of each sort (default: 10; quick: 3).")
  private Integer rounds;

  @Option(
      names = "--warmup",
      paramLabel = "N",
      defaultValue = "1",
      description = "Rounds before them that count in no figure (default: ${DEFAULT-VALUE}).")
  private int warmup;

  @Option(
      names = "--one-node-too",
      description = "Measure also where there is one node: its memory to all GPUs at once.")
  private boolean oneNodeToo;

  @Option(names = "--quick", description = "Fewer rounds.")
  private boolean quick;

  @Option(
      names = "--seed",
      defaultValue = "42",
      description = "Seed of the copied data (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Mixin private OutputFolder out;
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Override
  public Integer call() {
    int measured = rounds != null ? rounds : quick ? 3 : 10;
    check(measured);
    NumaPlan plan =
        new NumaPlan(
            NumaNodes.withMemory(NumaNodes.SYSFS),
            oneNodeToo,
            size,
            copies,
            measured,
            warmup,
            seed);
    var arguments = spec.root().commandLine().getParseResult().originalArgs();
    return DeviceMeasurement.call("numa", arguments, out, new NumaWork(plan));
  }

  private void check(int measured) {
    if (measured < 1 || copies < 1) {
      throw UserError.usage("--rounds and --copies must be 1 or more");
    }
    if (warmup < 0) {
      throw UserError.usage("--warmup must be 0 or more, not " + warmup);
    }
    if (size.bytes() % PAGE != 0) {
      throw UserError.usage("--size must be a multiple of 4 KiB, not " + size.text());
    }
  }
}
