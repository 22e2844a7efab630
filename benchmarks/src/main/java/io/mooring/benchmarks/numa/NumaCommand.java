package io.mooring.benchmarks.numa;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.cli.Limits;
import io.mooring.benchmarks.device.DeviceMeasurement;
import io.mooring.benchmarks.device.RoundOptions;
import io.mooring.benchmarks.env.NumaNodes;
import io.mooring.benchmarks.measure.MeasuringCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./benchmarks/run numa}: what it costs when memory lies on another node than the GPU. */
@Command(
    name = "numa",
    description =
        "Times verified copies between each NUMA node's memory and each GPU, alone and with all GPUs"
            + " at once.",
    footer = "Exits 0 when every copy was made and right, or there is one node or no GPU; else 1.")
public final class NumaCommand extends MeasuringCommand {

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
      names = "--one-node-too",
      description = "Measure also where there is one node: its memory to all GPUs at once.")
  private boolean oneNodeToo;

  @Mixin private RoundOptions common;

  @Override
  public Integer call() {
    common.check();
    Limits.atLeast("--copies", 1, copies);
    Limits.multipleOfPage("--size", size);
    NumaPlan plan =
        new NumaPlan(
            NumaNodes.withMemory(NumaNodes.SYSFS),
            oneNodeToo,
            size,
            copies,
            common.rounds(10, 3),
            common.warmup(),
            common.seed());
    return DeviceMeasurement.call(name(), arguments(), prepareFolder(), new NumaWork(plan));
  }
}
