package io.mooring.benchmarks.cli;

import java.nio.file.Path;

/** Where the harness lives; {@code benchmarks/run} passes it on. */
public final class Home {

  private Home() {}

  /** The folder {@code benchmarks/} of this checkout. */
  public static Path folder() {
    return Path.of(System.getProperty("mooring.benchmarks.home", "benchmarks")).toAbsolutePath();
  }

  /** True when standard error is a terminal. */
  static boolean isTerminal() {
    return Boolean.getBoolean("mooring.terminal");
  }

  /** The jar under test, or an empty string when only Spark's own reader can be measured. */
  public static String jar() {
    return System.getProperty("mooring.jar", "");
  }

  /** Where the classes of the pool are: the jar, or for tests a folder of classes. */
  public static String poolClasses() {
    return System.getProperty("mooring.classes", jar());
  }
}
