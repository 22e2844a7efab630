package io.mooring.benchmarks.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** {@code benchmarks/run} as a user starts it: a process of its own. */
final class Launcher implements AutoCloseable {

  private static final long MOST_SECONDS = 300;

  private final Process process;
  private final Path output;

  private Launcher(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  static Launcher start(Path folder, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(HarnessHome.folder().resolve("run").toString()));
    command.addAll(List.of(arguments));
    return launch(folder, command);
  }

  /**
   * The same in a pseudo-terminal, whose keyboard is {@link #type}: by {@code script} of
   * util-linux, which every Linux has.
   */
  static Launcher startInTerminal(Path folder, String... arguments) throws IOException {
    String line = HarnessHome.folder().resolve("run") + " " + String.join(" ", arguments);
    return launch(folder, List.of("script", "-qefc", line, "/dev/null"));
  }

  private static Launcher launch(Path folder, List<String> line) throws IOException {
    Path output = folder.resolve("output");
    // This build has made the classes; the launcher would only see that sources are newer.
    Path stamp = HarnessHome.folder().resolve("target/classpath.txt");
    Files.setLastModifiedTime(stamp, FileTime.from(Instant.now()));
    // A shell in the background hands down a Ctrl-C that is ignored.
    List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
    command.addAll(line);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("MOORING_JAR", HarnessHome.poolClasses());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    return new Launcher(builder.redirectOutput(output.toFile()).start(), output);
  }

  /** What it has printed so far, without the JVM's own words. */
  String output() throws IOException {
    return Files.readString(output)
        .lines()
        .filter(line -> !line.startsWith("Picked up JAVA_TOOL_OPTIONS"))
        .map(line -> line + "\n")
        .reduce("", String::concat);
  }

  /** Waits until it has printed this. */
  void awaitOutput(String text) throws Exception {
    await(
        () -> {
          try {
            return output().contains(text) || !process.isAlive();
          } catch (IOException e) {
            return false;
          }
        });
    if (!output().contains(text)) {
      throw new IOException("never said '" + text + "': " + output());
    }
  }

  /** What the terminal sends for Ctrl-C. */
  void interrupt() throws Exception {
    new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
  }

  /** Sends a key to the terminal. */
  void type(char key) throws IOException {
    process.getOutputStream().write(key);
    process.getOutputStream().flush();
  }

  int exitCode() throws Exception {
    await(() -> !process.isAlive());
    return process.exitValue();
  }

  private void await(BooleanSupplier condition) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new IOException("nothing for " + MOST_SECONDS + " s: " + output());
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
