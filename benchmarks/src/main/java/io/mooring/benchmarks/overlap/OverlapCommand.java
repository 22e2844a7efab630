package io.mooring.benchmarks.overlap;

import io.mooring.benchmarks.device.DeviceMeasurement;
import io.mooring.benchmarks.measure.MeasuringCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ./benchmarks/run overlap}: what copying beside the computation is worth. */
@Command(
    name = "overlap",
    description =
        "Brings pageable data to a GPU and works on it: from pageable memory, through pinned memory"
            + " on the same thread, staged by another thread, and by several.",
    footer = "Exits 0 when every run was made and right, or there is no GPU; else 1.")
public final class OverlapCommand extends MeasuringCommand {

  @Mixin private OverlapOptions options;

  @Override
  public Integer call() {
    options.check();
    return DeviceMeasurement.call(name(), arguments(), prepareFolder(), new OverlapWork(options));
  }
}
