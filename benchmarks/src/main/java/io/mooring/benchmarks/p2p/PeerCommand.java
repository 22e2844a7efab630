package io.mooring.benchmarks.p2p;

import io.mooring.benchmarks.cli.OutputFolder;
import io.mooring.benchmarks.device.DeviceMeasurement;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ./benchmarks/run p2p}: copies between GPUs, and exchanges between neighbours. */
@Command(
    name = "p2p",
    description =
        "Times verified copies between GPUs, with and without peer access: single pairs, several at"
            + " once, exchanges between neighbours, and a halo exchange beside computation.",
    footer = "Exits 0 when every copy was made and right, or there are not two GPUs; else 1.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class PeerCommand implements Callable<Integer> {

  @Mixin private PeerOptions options;
  @Mixin private OutputFolder out;
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Override
  public Integer call() {
    options.check();
    var arguments = spec.root().commandLine().getParseResult().originalArgs();
    return DeviceMeasurement.call("p2p", arguments, out, new PeerWork(options));
  }
}
