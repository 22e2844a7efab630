package io.mooring.benchmarks.env;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The machine and the versions with which figures were measured. A value that could not be found is
 * {@code "unknown"}.
 *
 * @param gpus what {@code nvidia-smi} lists; empty without an NVIDIA driver
 * @param cpu model name
 * @param cores processors that this process may use
 * @param memoryBytes bytes of memory that this process may use, its cgroup's limit included
 * @param os name, version and architecture
 * @param jdk vendor and version
 * @param spark version on the class path
 * @param cudf version on the class path
 * @param mooring file name of the jar under test
 * @param commit git commit of the checkout, {@code -dirty} when files differ from it
 */
public record Environment(
    List<Gpu> gpus,
    String cpu,
    int cores,
    long memoryBytes,
    String os,
    String jdk,
    String spark,
    String cudf,
    String mooring,
    String commit) {

  /** Note of a report whose commit is unknown; a line on standard error before measuring, too. */
  public static final String NO_COMMIT =
      "The commit of the measured code is unknown: there was no git checkout, and MOORING_COMMIT"
          + " did not name it";

  private static final String UNKNOWN = "unknown";

  /**
   * Looks at this machine, and says on standard error when the commit cannot be found: before
   * anything is measured, and for every command. {@code repository}: folder of the checkout; {@code
   * jar}: under test.
   */
  public static Environment probe(Path repository, String jar) {
    Environment found = look(repository, jar);
    if (!found.knowsCommit()) {
      System.err.println(NO_COMMIT);
    }
    return found;
  }

  /** Whether the commit was found; reports without the key do not know it either. */
  public boolean knowsCommit() {
    return commit != null && !commit.equals(UNKNOWN);
  }

  private static Environment look(Path repository, String jar) {
    return new Environment(
        Gpu.list(),
        cpuModel(),
        Runtime.getRuntime().availableProcessors(),
        usableMemory(),
        property("os.name") + " " + property("os.version") + " " + property("os.arch"),
        property("java.vendor") + " " + property("java.runtime.version"),
        versionIn("/spark-version-info.properties"),
        versionIn("/cudf-java-version-info.properties"),
        jar.isEmpty() ? UNKNOWN : Path.of(jar).getFileName().toString(),
        commit(System.getenv("MOORING_COMMIT"), repository));
  }

  private static long usableMemory() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
  }

  private static String cpuModel() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(UNKNOWN);
    } catch (IOException e) {
      return UNKNOWN;
    }
  }

  /**
   * The commit {@code named}, else that of the checkout, else {@code unknown}; {@code named} may be
   * null or blank.
   */
  static String commit(String named, Path repository) {
    return Optional.ofNullable(named)
        .filter(name -> !name.isBlank())
        .or(() -> checkedOut(repository))
        .orElse(UNKNOWN);
  }

  private static Optional<String> checkedOut(Path repository) {
    // Git would take the commit of any repository that the folder lies in.
    if (!Files.exists(repository.resolve(".git"))) {
      return Optional.empty();
    }
    String folder = repository.toString();
    return Command.firstLine(
        "git", "-C", folder, "describe", "--always", "--abbrev=12", "--exclude=*", "--dirty");
  }

  private static String versionIn(String resource) {
    Properties properties = new Properties();
    try (InputStream in = Environment.class.getResourceAsStream(resource)) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException e) {
      return UNKNOWN;
    }
    return properties.getProperty("version", UNKNOWN);
  }

  private static String property(String name) {
    return System.getProperty(name, UNKNOWN);
  }

  /**
   * One GPU as {@code nvidia-smi} describes it.
   *
   * @param name model
   * @param driver version of the driver
   * @param memoryMiB device memory in MiB, as printed
   * @param pcie generation and width of the link in use, for instance {@code 5 x16}
   */
  public record Gpu(String name, String driver, String memoryMiB, String pcie) {

    private static final String FIELDS =
        "name,driver_version,memory.total,pcie.link.gen.current,pcie.link.width.current";

    /** The GPUs of this machine; none without {@code nvidia-smi}. */
    public static List<Gpu> list() {
      return Command.lines("nvidia-smi", "--query-gpu=" + FIELDS, "--format=csv,noheader,nounits")
          .stream()
          .flatMap(Gpu::parse)
          .toList();
    }

    private static Stream<Gpu> parse(String line) {
      String[] cells = line.split("\\s*,\\s*", -1);
      return cells.length == 5
          ? Stream.of(new Gpu(cells[0], cells[1], cells[2], cells[3] + " x" + cells[4]))
          : Stream.empty();
    }
  }

  /** Asks a program that may not be installed. */
  private static final class Command {

    private static final int LIMIT_SECONDS = 20;

    private Command() {}

    /** The lines that the program prints; empty when it is missing, fails or takes too long. */
    static List<String> lines(String... command) {
      try {
        Process process =
            new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        process.getOutputStream().close();
        // A pipe holds all of the output, and a program that hangs does not close it.
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
          process.destroyForcibly();
          return List.of();
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
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
}
