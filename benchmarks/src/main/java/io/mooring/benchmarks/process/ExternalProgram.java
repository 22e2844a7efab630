package io.mooring.benchmarks.process;

import io.mooring.benchmarks.cli.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Programs of others that are run to their end. */
public final class ExternalProgram {

  private ExternalProgram() {}

  /**
   * Runs a program and waits for it.
   *
   * @param environment variables that it gets beside those of the harness
   * @param log to which everything that it says is appended
   * @return false when it failed
   */
  public static boolean run(List<String> command, Map<String, String> environment, Path log) {
    try {
      Files.createDirectories(log.getParent());
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
      builder.environment().putAll(environment);
      return builder.start().waitFor() == 0;
    } catch (IOException e) {
      throw UserError.failure(command.get(0) + " cannot be started: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw UserError.failure("interrupted");
    }
  }
}
