package io.mooring.benchmarks.pool;

import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.process.NativeBuild;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * The C++ half of the command, built by CMake when its sources are newer.
 *
 * @param folder where it is built
 * @param peers whether the pools of RMM and libcudf were built too
 */
record NativeProgram(Path folder, boolean peers) {

  /** Builds it; without the peers when they cannot be had, which {@code note} is told. */
  static NativeProgram build(boolean withPeers, Path log, Consumer<String> note) {
    if (withPeers) {
      Path folder = NativeBuild.peersFolder();
      if (make(folder, true, log)) {
        return new NativeProgram(folder, true);
      }
      note.accept(
          "RMM's and libcudf's pools are left out: they could not be built, logs/"
              + log.getFileName()
              + " says why (pip needs the packages librmm-cu13 26.8.0 and rapids-logger 0.3.0)");
    }
    Path folder = NativeBuild.plainFolder();
    if (!make(folder, false, log)) {
      throw UserError.failure("the native program could not be built; see " + log);
    }
    return new NativeProgram(folder, false);
  }

  private static boolean make(Path folder, boolean peers, Path log) {
    return NativeBuild.make(folder, peers, peers ? "peers" : "pool_bench", log);
  }

  /** The same number as in Mooring's PoolSettings, whose class only the measured processes have. */
  private static int touchThreads() {
    return Math.min(12, Runtime.getRuntime().availableProcessors());
  }

  /** The command line of an arm. {@code libcudf}: the file, or an empty string. */
  List<String> command(String arm, long poolBytes, String libcudf) {
    return List.of(
        folder.resolve("pool_bench").toString(),
        "--arm",
        arm,
        "--pool",
        Long.toString(poolBytes),
        "--threads",
        Integer.toString(touchThreads()),
        "--peers",
        peers ? folder.toString() : "",
        "--libcudf",
        libcudf);
  }
}
