package io.mooring.benchmarks.data;

import io.mooring.benchmarks.cli.UserError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The files under every query.
 *
 * @param folder what Spark is asked to load
 * @param files how many data files
 * @param bytes their bytes together, as stored
 */
public record InputFiles(Path folder, int files, long bytes) {

  /**
   * Looks into a folder (or at one file); files and folders whose names start with {@code _} or
   * {@code .} are not data, nor is the log of a table format.
   */
  public static InputFiles in(Path folder) {
    try {
      List<Path> data = dataFiles(folder).toList();
      if (data.isEmpty()) {
        throw UserError.usage("no data files in " + folder);
      }
      long bytes = 0;
      for (Path file : data) {
        bytes += Files.size(file);
      }
      return new InputFiles(folder.toAbsolutePath().normalize(), data.size(), bytes);
    } catch (IOException e) {
      throw UserError.usage("cannot read " + folder + ": no such folder, or no permission");
    }
  }

  /** What lists the files. */
  public TableFormat format() {
    return TableFormat.of(folder);
  }

  /** The address as Spark's reader takes it. */
  public String location() {
    return folder.toUri().toString();
  }

  /** The data files in a folder, or the one file that it is. */
  public static Stream<Path> dataFiles(Path folder) {
    TableFormat format = TableFormat.of(folder);
    try (Stream<Path> found = Files.walk(folder, FileVisitOption.FOLLOW_LINKS)) {
      return found
          .filter(Files::isRegularFile)
          .filter(file -> isData(folder, file))
          .filter(file -> !format.isLog(folder.relativize(file)))
          .toList()
          .stream();
    } catch (IOException | UncheckedIOException e) {
      throw UserError.usage("cannot read " + folder + ": no such folder, or no permission");
    }
  }

  private static boolean isData(Path folder, Path file) {
    Path inside = file.equals(folder) ? file.getFileName() : folder.relativize(file);
    return StreamSupport.stream(inside.spliterator(), false)
        .map(Path::toString)
        .noneMatch(InputFiles::isHidden);
  }

  /** Whether Spark ignores files and folders of this name. */
  private static boolean isHidden(String name) {
    return name.startsWith(".") || (name.startsWith("_") && !name.contains("="));
  }
}
