package io.mooring.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.conf.MooringVersion;
import io.mooring.spark.MooringPlugin;
import io.mooring.testing.SparkHomes;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * A folder to type commands in: beside it the two jars as a build leaves them, on the path the
 * Spark that pip has installed. Closing ends what was started here.
 */
final class ClientHome implements AutoCloseable {
  static final Path ROOT = Path.of(System.getProperty("mooring.basedir"));
  private static final Path PACKAGES = ROOT.resolve("target/clients");

  private final Path folder;
  private final Path settings;
  private final List<Process> started = new ArrayList<>();

  /**
   * Prepares an empty folder.
   *
   * @param defaults settings of Spark that are not typed, such as ports
   */
  ClientHome(Path folder, Map<String, String> defaults) throws Exception {
    this.folder = folder;
    this.settings = Files.createDirectory(folder.resolve("conf"));
    Path target = Files.createDirectory(folder.resolve("target"));
    Path classes =
        Path.of(MooringPlugin.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    SparkHomes.jar(classes, target.resolve("mooring-spark_2.13-" + MooringVersion.get() + ".jar"));
    Path cudf = cudfJar();
    Files.createSymbolicLink(target.resolve(cudf.getFileName()), cudf);
    StringBuilder lines = new StringBuilder();
    // Small and quiet, and with Mooring's plans where there is no GPU.
    Stream.of(
            "spark.mooring.sql.withoutGpu true",
            "spark.ui.enabled false",
            "spark.driver.memory 1g",
            "spark.driver.extraJavaOptions -XX:TieredStopAtLevel=1",
            "spark.sql.shuffle.partitions 4")
        .forEach(line -> lines.append(line).append('\n'));
    defaults.forEach((key, value) -> lines.append(key).append(' ').append(value).append('\n'));
    Files.writeString(settings.resolve("spark-defaults.conf"), lines);
  }

  private static Path cudfJar() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(Path::of)
        .filter(path -> path.getFileName().toString().startsWith("cudf-"))
        .findFirst()
        .orElseThrow();
  }

  /** The jars of the Spark that clients and servers run. */
  static Path sparkJars() {
    return PACKAGES.resolve("pyspark/jars");
  }

  Path folder() {
    return folder;
  }

  /** A file of the logs and outputs of what runs here. */
  Path log(String name) {
    return folder.resolve(name + ".log");
  }

  /** Starts a command of the shell, whose output goes to a log of the name. */
  Process start(String name, String command) throws IOException {
    Process process =
        shell(command).redirectErrorStream(true).redirectOutput(log(name).toFile()).start();
    started.add(process);
    return process;
  }

  /** Starts a server by a command of the shell, and waits until it answers at a port. */
  void startServer(String command, int port) throws IOException {
    Process server = start("server", command);
    Awaitility.await()
        .atMost(Duration.ofMinutes(3))
        .pollInterval(Duration.ofMillis(300))
        .until(
            () -> {
              assertThat(server.isAlive()).as(() -> read(log("server"))).isTrue();
              return answers(port);
            });
  }

  /** Starts a command of the shell that is talked to; what it says in error goes to a log. */
  Process converse(String name, String command) throws IOException {
    Process process = shell(command).redirectError(log(name).toFile()).start();
    started.add(process);
    return process;
  }

  /** Runs a command of the shell, which has to succeed, and gives both of its outputs. */
  String run(String name, String command, String input) throws Exception {
    Process process = start(name, command);
    try (OutputStream in = process.getOutputStream()) {
      in.write(input.getBytes(StandardCharsets.UTF_8));
    }
    boolean ended = process.waitFor(240, TimeUnit.SECONDS);
    String output = Files.readString(log(name));
    assertThat(ended).as("it ends: %s", output).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    return output;
  }

  private ProcessBuilder shell(String command) {
    ProcessBuilder shell = new ProcessBuilder("bash", "-c", command).directory(folder.toFile());
    Map<String, String> environment = shell.environment();
    environment.put("PATH", PACKAGES.resolve("bin") + ":" + environment.get("PATH"));
    environment.put("PYTHONPATH", PACKAGES.toString());
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.put("SPARK_CONF_DIR", settings.toString());
    environment.put("SPARK_LOCAL_IP", "127.0.0.1");
    // Statements come through a pipe, and are to be typed all the same.
    environment.put("PYSPARK_DRIVER_PYTHON_OPTS", "-i");
    environment.remove("SPARK_HOME");
    return shell;
  }

  private static boolean answers(int port) {
    try (Socket socket = new Socket("localhost", port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }

  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() throws InterruptedException {
    for (Process process : started) {
      List<ProcessHandle> all = process.descendants().toList();
      all.forEach(ProcessHandle::destroy);
      process.destroy();
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        all.forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
    }
  }
}
