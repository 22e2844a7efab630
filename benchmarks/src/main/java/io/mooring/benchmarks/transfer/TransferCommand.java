package io.mooring.benchmarks.transfer;

import io.mooring.benchmarks.device.DeviceMeasurement;
import io.mooring.benchmarks.measure.MeasuringCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ./benchmarks/run transfer}: bandwidth between host memory of several kinds and a GPU. */
@Command(
    name = "transfer",
    description =
        "Times verified copies between a GPU and pageable, pinned and write-combined memory,"
            + " beside what the PCIe link can carry.",
    footer = "Exits 0 when every copy was made and right, or there is no GPU; else 1.")
public final class TransferCommand extends MeasuringCommand {

  @Mixin private TransferOptions options;

  @Override
  public Integer call() {
    options.check();
    return DeviceMeasurement.call(name(), arguments(), prepareFolder(), new TransferWork(options));
  }
}
