package io.mooring.benchmarks.store;

import io.mooring.benchmarks.cli.HarnessHome;
import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.process.Maven;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** The jars of S3A, which Maven fetches where a store is asked for first: 14 MB. */
public final class StoreJars {

  private StoreJars() {}

  /** The jars that are not on the harness's own class path. */
  public static List<Path> find() {
    Path list = HarnessHome.folder().resolve("target/store-classpath.txt");
    if (!listed(list).stream().allMatch(Files::exists)) {
      fetch();
    }
    Set<Path> own = Set.copyOf(paths(System.getProperty("java.class.path", "")));
    return listed(list).stream().filter(jar -> !own.contains(jar)).toList();
  }

  /** The jars of the list; one that does not exist where there is no list. */
  private static List<Path> listed(Path list) {
    try {
      return paths(Files.readString(list));
    } catch (IOException e) {
      return List.of(list);
    }
  }

  private static List<Path> paths(String classPath) {
    return Arrays.stream(classPath.strip().split(File.pathSeparator)).map(Path::of).toList();
  }

  private static void fetch() {
    System.err.println("Fetching S3A with Maven");
    Path log = HarnessHome.folder().resolve("target/store-classpath.log");
    if (!Maven.run(log, "-Pstore", "dependency:build-classpath@store-class-path")) {
      throw UserError.failure("Maven cannot fetch S3A's jars; " + log + " says why");
    }
  }
}
