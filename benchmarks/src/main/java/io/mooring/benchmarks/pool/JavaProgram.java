package io.mooring.benchmarks.pool;

import io.mooring.benchmarks.cli.HarnessHome;
import java.io.File;
import java.nio.file.Path;
import java.util.List;

/** The command line of an allocator's JVM. */
final class JavaProgram {
  private static final String HEAP = "-Xmx1g";
  private static final String MAIN = "io.mooring.benchmarks.pool.jvm.JavaArmMain";

  private JavaProgram() {}

  static List<String> command(String arm, long poolBytes) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "@" + HarnessHome.folder().resolve("src/main/launch/spark-jvm.args"),
        HEAP,
        "-Dmooring.benchmarks.arm=" + arm,
        "-cp",
        HarnessHome.poolClasses() + File.pathSeparator + System.getProperty("java.class.path"),
        MAIN,
        Long.toString(poolBytes));
  }
}
