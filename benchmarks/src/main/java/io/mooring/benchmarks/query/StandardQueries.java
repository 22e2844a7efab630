package io.mooring.benchmarks.query;

import io.mooring.benchmarks.cli.HarnessHome;
import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.process.Maven;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The queries of a suite as Spark's own test jar holds them: a file each, which Maven unpacks where
 * they are asked for first.
 *
 * @param folder with {@code q1.sql} and so on
 */
public record StandardQueries(Path folder) {

  private static final String ENDING = ".sql";

  /** The queries of {@code tpch} or {@code tpcds}. */
  public static StandardQueries of(String suite) {
    Path folder = HarnessHome.folder().resolve("target/standard-queries").resolve(suite);
    if (!Files.isDirectory(folder)) {
      unpack();
    }
    return new StandardQueries(folder);
  }

  private static void unpack() {
    System.err.println("Unpacking the queries out of Spark's test jar");
    Path log = HarnessHome.folder().resolve("target/standard-queries.log");
    if (!Maven.run(log, "dependency:unpack@standard-queries")) {
      throw UserError.failure(
          "Maven cannot unpack the queries out of Spark's test jar; "
              + log
              + " says why. Without a network: bring target/standard-queries along, or give --sql");
    }
  }

  /** Their names, by number. */
  public List<String> names() {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(ENDING))
          .map(name -> name.substring(0, name.length() - ENDING.length()))
          .sorted(Comparator.comparing(StandardQueries::number).thenComparing(name -> name))
          .toList();
    } catch (IOException e) {
      throw UserError.failure("cannot read " + folder + ": " + e.getMessage());
    }
  }

  /** The text of one. */
  public String text(String name) {
    try {
      return Files.readString(folder.resolve(name + ENDING)).strip();
    } catch (IOException e) {
      throw UserError.failure("cannot read " + folder + ": " + e.getMessage());
    }
  }

  private static int number(String name) {
    return Integer.parseInt(name.replaceAll("\\D", ""));
  }
}
