package io.mooring.benchmarks.p2p;

import io.mooring.benchmarks.device.DeviceMeasurement;
import io.mooring.benchmarks.measure.MeasuringCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ./benchmarks/run p2p}: copies between GPUs, and exchanges between neighbours. */
@Command(
    name = "p2p",
    description =
        "Times verified copies between GPUs, with and without peer access: single pairs, several at"
            + " once, exchanges between neighbours, and a halo exchange beside computation.",
    footer = "Exits 0 when every copy was made and right, or there are not two GPUs; else 1.")
public final class PeerCommand extends MeasuringCommand {

  @Mixin private PeerOptions options;

  @Override
  public Integer call() {
    options.check();
    return DeviceMeasurement.call(name(), arguments(), prepareFolder(), new PeerWork(options));
  }
}
