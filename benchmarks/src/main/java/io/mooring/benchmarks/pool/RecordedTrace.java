package io.mooring.benchmarks.pool;

import io.mooring.benchmarks.cli.UserError;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/**
 * An allocation trace, unpacked where the native program reads it.
 *
 * @param file as trace/trace_recorder.hpp describes it
 * @param name for the report
 */
record RecordedTrace(Path file, String name) {

  private static final String RECORDED = "scan.trace.gz";

  /** The user's own, else the one that comes with the harness, if there is one. */
  static Optional<RecordedTrace> find(Optional<Path> own, Path folder) {
    try {
      if (own.isPresent()) {
        return Optional.of(unpack(Files.newInputStream(own.get()), own.get(), folder));
      }
      InputStream in = RecordedTrace.class.getResourceAsStream(RECORDED);
      return in == null ? Optional.empty() : Optional.of(unpack(in, Path.of(RECORDED), folder));
    } catch (IOException e) {
      throw UserError.usage("cannot read the trace: " + e.getMessage());
    }
  }

  private static RecordedTrace unpack(InputStream packed, Path from, Path folder)
      throws IOException {
    String name = from.getFileName().toString();
    Path place = Files.createTempDirectory(folder, "trace");
    Path file = place.resolve(name.replaceFirst("\\.gz$", ""));
    place.toFile().deleteOnExit();
    file.toFile().deleteOnExit();
    try (InputStream in = name.endsWith(".gz") ? new GZIPInputStream(packed) : packed) {
      Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
    }
    return new RecordedTrace(file, name);
  }
}
