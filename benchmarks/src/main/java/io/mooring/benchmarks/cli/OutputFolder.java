package io.mooring.benchmarks.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import picocli.CommandLine.Option;

/** The option {@code --out}, the same for every command that measures. */
public final class OutputFolder {

  private static final int PROBE_BYTES = 64 << 10;

  @Option(
      names = "--out",
      order = 1, // below the options of the command
      paramLabel = "DIR",
      description =
          "Folder for report.json, runs.csv and report.html (default: <benchmarks>/results/<date>-<command>).")
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
