package io.mooring.ui;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A Chromium without a window, where the machine has one. */
record Browser(Path program, Path profiles) {
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
  private static final List<String> FLAGS =
      List.of(
          "--headless",
          "--no-sandbox",
          "--disable-gpu",
          "--disable-quic",
          "--no-first-run",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync",
          "--hide-scrollbars",
          "--window-size=1600,1000");
  private static final int PATIENCE_SECONDS = 120;

  /** The first one on the path. */
  static Optional<Browser> find(Path profiles) {
    List<Path> folders =
        Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .map(Path::of)
            .toList();
    return NAMES.stream()
        .flatMap(name -> folders.stream().map(folder -> folder.resolve(name)))
        .filter(Files::isExecutable)
        .findFirst()
        .map(program -> new Browser(program, profiles));
  }

  /** The page as it is once its scripts have run. */
  String dom(String address) throws IOException, InterruptedException {
    Path out = Files.createTempFile(profiles, "dom", ".html");
    run(out, "--dump-dom", "--virtual-time-budget=2000", address);
    return Files.readString(out);
  }

  void screenshot(String address, Path image) throws IOException, InterruptedException {
    Path out = Files.createTempFile(profiles, "screenshot", ".log");
    run(out, "--screenshot=" + image, "--virtual-time-budget=2000", address);
  }

  private void run(Path out, String... arguments) throws IOException, InterruptedException {
    Path profile = Files.createTempDirectory(profiles, "profile");
    List<String> command = new ArrayList<>();
    command.add(program.toString());
    command.addAll(FLAGS);
    command.add("--user-data-dir=" + profile);
    Stream.of(arguments).forEach(command::add);
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IOException("The browser did not show " + arguments[arguments.length - 1]);
    }
  }
}
