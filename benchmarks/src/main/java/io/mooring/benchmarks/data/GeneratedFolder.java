package io.mooring.benchmarks.data;

import com.fasterxml.jackson.databind.JsonNode;
import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.report.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A folder of generated files: written beside its place, moved there when it is whole, and used
 * again when its marker says that it is the one asked for.
 *
 * @param path the folder
 * @param size about how large the files are together
 * @param markerName the marker's file; the name hides it from Spark
 */
record GeneratedFolder(Path path, ByteSize size, String markerName) {

  /** The marker of the folder, if it is finished. */
  <T> Optional<T> marker(Class<T> type) {
    try {
      return Optional.of(Json.REPORT.readValue(Files.readAllBytes(marker(path)), type));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** True when the folder is whole and what was asked for. */
  <T> boolean holds(Class<T> type, Predicate<T> wanted) {
    return marker(type).filter(wanted).isPresent();
  }

  /** Writes the files into a new folder and moves it to its place with this marker. */
  void fill(Object marker, Consumer<Path> writer) {
    refuseForeignFolder();
    refuseFullDisk();
    Path partial = path.resolveSibling(path.getFileName() + ".partial");
    try {
      delete(partial);
      writer.accept(partial);
      Json.REPORT.writeValue(marker(partial).toFile(), marker);
      delete(path);
      Files.move(partial, path);
    } catch (IOException e) {
      throw UserError.failure("cannot write the data to " + path + ": " + e.getMessage());
    }
  }

  private Path marker(Path folder) {
    return folder.resolve(markerName);
  }

  private void refuseForeignFolder() {
    if (marker(JsonNode.class).isEmpty() && Files.exists(path)) {
      try (Stream<Path> inside = Files.list(path)) {
        if (inside.findAny().isPresent()) {
          throw UserError.usage(path + " holds something else; choose another --data-dir");
        }
      } catch (IOException e) {
        throw UserError.usage(path + " is not a folder; choose another --data-dir");
      }
    }
  }

  private void refuseFullDisk() {
    try {
      Files.createDirectories(path.toAbsolutePath().getParent());
      long free = Files.getFileStore(path.toAbsolutePath().getParent()).getUsableSpace();
      if (free < size.bytes() + size.bytes() / 10) {
        throw UserError.usage(
            "%s has %d MiB free, less than the %s that the data needs; choose another --data-dir"
                .formatted(path.getParent(), free >> 20, size));
      }
    } catch (IOException e) {
      throw UserError.usage("cannot write to " + path.getParent() + "; choose another --data-dir");
    }
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> inside = Files.walk(folder)) {
      for (Path path : inside.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
