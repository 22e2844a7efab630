package io.mooring.benchmarks.env;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Asks a program that may not be installed. */
final class Command {

  private static final int LIMIT_SECONDS = 20;

  private Command() {}

  /** The lines that the program prints; empty when it is missing, fails or takes too long. */
  static List<String> lines(String... command) {
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return List.of();
      }
      return process.exitValue() == 0 ? output.lines().toList() : List.of();
    } catch (IOException e) {
      return List.of();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }

  static Optional<String> firstLine(String... command) {
    return lines(command).stream().findFirst();
  }
}
