package io.mooring.benchmarks.measure;

import io.mooring.benchmarks.cli.HarnessHome;
import io.mooring.benchmarks.cli.IoErrorText;
import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.report.page.ReportFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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

  /** The option {@code --out}, the same for every command that measures. */
  private static final class OutputFolder {

    private static final int PROBE_BYTES = 64 << 10;

    @Option(
        names = "--out",
        order = 1, // below the options of the command
        paramLabel = "DIR",
        description =
            "Folder for report.json, runs.csv and report.html (default:"
                + " <benchmarks>/results/<date>-<command>).")
    private Path out;

    /** The folder, made and known to be writable, or one line that says why not. */
    public Path prepare(String command) {
      Path folder =
          out != null
              ? out
              : HarnessHome.folder()
                  .resolve("results")
                  .resolve(LocalDate.now(ZoneOffset.UTC) + "-" + command);
      try {
        Files.createDirectories(folder);
        probe(folder);
      } catch (IOException e) {
        throw UserError.usage(
            "cannot write to " + folder + ": " + IoErrorText.of(e) + "; choose another --out");
      }
      return folder.toAbsolutePath().normalize();
    }

    /** A full disk still makes empty files. */
    private static void probe(Path folder) throws IOException {
      Path probe = Files.createTempFile(folder, ".write", "");
      try {
        Files.write(probe, new byte[PROBE_BYTES]);
      } finally {
        Files.delete(probe);
      }
    }
  }
}
