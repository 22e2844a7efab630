package io.mooring.benchmarks.scan;

import io.mooring.benchmarks.cli.UserError;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;

/**
 * The file for the pool's allocations in one more round of the queries.
 *
 * @param file as the user named it; {@code .gz} packs it
 */
record TraceFile(Path file) {

  /** The file, known to be writable, or one line that says why not. */
  static TraceFile prepare(Path file) {
    Path absolute = file.toAbsolutePath().normalize();
    if (Files.isDirectory(absolute) || !Files.isWritable(absolute.getParent())) {
      throw UserError.usage("cannot write to " + file + "; choose another --trace-out");
    }
    return new TraceFile(absolute);
  }

  /** The file to which the worker writes the unpacked trace. */
  Path plain() {
    return isPacked() ? file.resolveSibling(file.getFileName() + ".plain") : file;
  }

  /** Packs what the worker wrote. */
  void finish() {
    if (!isPacked()) {
      return;
    }
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      Files.copy(plain(), out);
      Files.delete(plain());
    } catch (IOException e) {
      throw UserError.failure(
          "cannot write the trace " + file.getFileName() + ": " + e.getMessage());
    }
  }

  private boolean isPacked() {
    return file.getFileName().toString().endsWith(".gz");
  }
}
