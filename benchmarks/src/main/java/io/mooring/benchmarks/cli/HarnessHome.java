package io.mooring.benchmarks.cli;

import java.nio.file.Path;

/** The harness's folder and the jar under test, as {@code benchmarks/run} passes them on. */
public final class HarnessHome {

  private HarnessHome() {}

  /** The folder {@code benchmarks/} of this checkout. */
  public static Path folder() {
    return Path.of(System.getProperty("mooring.benchmarks.home", "benchmarks")).toAbsolutePath();
  }

  /** Columns of the terminal that standard error is, or 0. */
  static int terminalColumns() {
    return Integer.getInteger("mooring.terminal.columns", 0);
  }

  /** The jar under test, or an empty string when only Spark's own reader can be measured. */
  public static String jar() {
    return System.getProperty("mooring.jar", "");
  }

  /** The classes of the pool: the jar, or for tests a folder of classes. */
  public static String poolClasses() {
    return System.getProperty("mooring.classes", jar());
  }
}
