package io.mooring.benchmarks.pool;

import io.mooring.benchmarks.cli.Home;
import io.mooring.benchmarks.cli.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The C++ half of the command, built by CMake when its sources are newer.
 *
 * @param folder where it is built
 * @param peers whether the pools of RMM and libcudf were built too
 */
record NativeProgram(Path folder, boolean peers) {

  private static final int MOST_JOBS = 8;

  /** Builds it; without the peers when they cannot be had, which {@code note} is told. */
  static NativeProgram build(boolean withPeers, Path log, Consumer<String> note) {
    if (withPeers) {
      Path folder = Home.folder().resolve("target/native-peers");
      if (make(folder, true, log)) {
        return new NativeProgram(folder, true);
      }
      note.accept(
          "RMM's and libcudf's pools are left out: they could not be built, logs/"
              + log.getFileName()
              + " says why (pip needs the packages librmm-cu13 26.8.0 and rapids-logger 0.3.0)");
    }
    Path folder = Home.folder().resolve("target/native");
    if (!make(folder, false, log)) {
      throw UserError.failure("the native program could not be built; see " + log);
    }
    return new NativeProgram(folder, false);
  }

  private static boolean make(Path folder, boolean peers, Path log) {
    String source = Home.folder().resolve("src/main/cpp").toString();
    int jobs = Math.min(MOST_JOBS, Runtime.getRuntime().availableProcessors());
    List<String> configure =
        List.of(
            "cmake",
            "-S",
            source,
            "-B",
            folder.toString(),
            "-DCMAKE_BUILD_TYPE=Release",
            "-DMOORING_PEERS=" + (peers ? "ON" : "OFF"));
    List<String> build =
        List.of("cmake", "--build", folder.toString(), "--target", peers ? "peers" : "pool_bench");
    List<String> parallel = List.of("--parallel", Integer.toString(jobs));
    return run(configure, log) && run(concat(build, parallel), log);
  }

  private static List<String> concat(List<String> a, List<String> b) {
    return Stream.concat(a.stream(), b.stream()).toList();
  }

  private static boolean run(List<String> command, Path log) {
    try {
      Files.createDirectories(log.getParent());
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
      return process.waitFor() == 0;
    } catch (IOException e) {
      throw UserError.failure("cmake cannot be started: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw UserError.failure("interrupted");
    }
  }

  /** How an arm is started. {@code libcudf}: the file, or an empty string. */
  List<String> command(String arm, long poolBytes, String libcudf) {
    return List.of(
        folder.resolve("pool_bench").toString(),
        "--arm",
        arm,
        "--pool",
        Long.toString(poolBytes),
        "--threads",
        Integer.toString(JavaProgram.touchThreads()),
        "--peers",
        peers ? folder.toString() : "",
        "--libcudf",
        libcudf);
  }
}
