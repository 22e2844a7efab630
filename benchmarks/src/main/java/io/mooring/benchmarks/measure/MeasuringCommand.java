package io.mooring.benchmarks.measure;

import io.mooring.benchmarks.cli.OutputFolder;
import io.mooring.benchmarks.report.page.ReportFolder;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The head of every command that writes a report: {@code --out}, help, and its arguments. */
@Command(mixinStandardHelpOptions = true, sortOptions = false)
public abstract class MeasuringCommand implements Callable<Integer> {

  @Mixin private OutputFolder out;
  @Spec private CommandSpec spec;

  /** Name of the command, as on the command line. */
  protected final String name() {
    return spec.name();
  }

  /** The whole command line after {@code run}. */
  protected final List<String> arguments() {
    return spec.root().commandLine().getParseResult().originalArgs();
  }

  /** The folder for the report: created, and known to be writable. */
  protected final ReportFolder prepareFolder() {
    return new ReportFolder(out.prepare(name()));
  }
}
