package io.mooring.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.conf.GpuEntries;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Processes that run a class of the tests. */
public final class ChildJvm {
  private static final int MOST_SHOWN = 20_000;
  private static final String FRACTION = GpuEntries.MEMORY_FRACTION.key();

  private ChildJvm() {}

  /** A child with the options of this JVM, so that it opens the same modules to Spark. */
  public static ProcessBuilder of(Class<?> main, Path folder, String... arguments) {
    return of(List.of(), main, folder, arguments);
  }

  /** A child with more options, which override those of this JVM. The caller starts and ends it. */
  public static ProcessBuilder of(
      List<String> options, Class<?> main, Path folder, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    // Maven sets it in the running JVM, not as an option. Other tests use the GPU at the same time.
    Optional.ofNullable(System.getProperty(FRACTION))
        .ifPresent(fraction -> command.add("-D" + FRACTION + "=" + fraction));
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).directory(folder.toFile());
  }

  /**
   * Runs a child until it ends by itself and returns its standard output and standard error. Fails
   * the test, and ends the child, when it takes longer than the limit.
   *
   * @param status the exit status that is expected
   * @param folder working directory, in which the file {@code output} is written
   */
  public static String toItsEnd(
      Duration limit, int status, Class<?> main, Path folder, String... arguments)
      throws IOException, InterruptedException {
    Path output = folder.resolve("output");
    Process process =
        of(main, folder, arguments)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      boolean ended = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
      assertThat(ended).as("it ends after " + lastOf(output)).isTrue();
      assertThat(process.exitValue()).as(lastOf(output)).isEqualTo(status);
    } finally {
      process.destroyForcibly();
    }
    return Files.readString(output);
  }

  /** The end of what a child wrote. */
  private static String lastOf(Path output) throws IOException {
    String all = Files.readString(output);
    return all.substring(Math.max(0, all.length() - MOST_SHOWN));
  }

  /** How many JVMs crashed in a folder. */
  public static long crashReports(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.getFileName().toString().startsWith("hs_err")).count();
    }
  }
}
