package io.mooring.benchmarks.process;

import io.mooring.benchmarks.cli.HarnessHome;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Builds native programs with CMake where their sources are newer. */
public final class NativeBuild {

  private static final int MOST_JOBS = 8;

  private NativeBuild() {}

  /**
   * Builds one target.
   *
   * @param folder where; below {@code benchmarks/target}
   * @param peers whether the folder also holds the pools of RMM and libcudf
   * @param log to which everything that CMake says is appended
   * @return false when it failed
   */
  public static boolean make(Path folder, boolean peers, String target, Path log) {
    String source = HarnessHome.folder().resolve("src/main/cpp").toString();
    int jobs = Math.min(MOST_JOBS, Runtime.getRuntime().availableProcessors());
    List<String> configure =
        List.of(
            "cmake",
            "-S",
            source,
            "-B",
            folder.toString(),
            "-DCMAKE_BUILD_TYPE=Release",
            "-DMOORING_JAVA_HOME=" + System.getProperty("java.home"),
            "-DMOORING_PEERS=" + (peers ? "ON" : "OFF"));
    List<String> build = List.of("cmake", "--build", folder.toString(), "--target", target);
    List<String> parallel = List.of("--parallel", Integer.toString(jobs));
    return run(configure, log)
        && run(Stream.concat(build.stream(), parallel.stream()).toList(), log);
  }

  /** The folder of what is built without the peers. */
  public static Path plainFolder() {
    return HarnessHome.folder().resolve("target/native");
  }

  /** The folder of what is built with them. */
  public static Path peersFolder() {
    return HarnessHome.folder().resolve("target/native-peers");
  }

  private static boolean run(List<String> command, Path log) {
    return ExternalProgram.run(command, Map.of(), log);
  }
}
