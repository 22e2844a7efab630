package io.mooring.benchmarks.overlap;

import io.mooring.benchmarks.cli.OutputFolder;
import io.mooring.benchmarks.device.DeviceMeasurement;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ./benchmarks/run overlap}: what copying beside the computation is worth. */
@Command(
    name = "overlap",
    description =
        "Brings pageable data to a GPU and works on it: from pageable memory, through pinned memory"
            + " on the same thread, staged by another thread, and by several.",
    footer = "Exits 0 when every run was made and right, or there is no GPU; else 1.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class OverlapCommand implements Callable<Integer> {

  @Mixin private OverlapOptions options;
  @Mixin private OutputFolder out;
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Override
  public Integer call() {
    options.check();
    var arguments = spec.root().commandLine().getParseResult().originalArgs();
    return DeviceMeasurement.call("overlap", arguments, out, new OverlapWork(options));
  }
}
