package io.mooring.benchmarks.transfer;

import io.mooring.benchmarks.cli.OutputFolder;
import io.mooring.benchmarks.device.DeviceMeasurement;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ./benchmarks/run transfer}: bandwidth between host memory of several kinds and a GPU. */
@Command(
    name = "transfer",
    description =
        "Times verified copies between a GPU and pageable, pinned and write-combined memory,"
            + " beside what the PCIe link can carry.",
    footer = "Exits 0 when every copy was made and right, or there is no GPU; else 1.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class TransferCommand implements Callable<Integer> {

  @Mixin private TransferOptions options;
  @Mixin private OutputFolder out;
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Override
  public Integer call() {
    options.check();
    var arguments = spec.root().commandLine().getParseResult().originalArgs();
    return DeviceMeasurement.call("transfer", arguments, out, new TransferWork(options));
  }
}
