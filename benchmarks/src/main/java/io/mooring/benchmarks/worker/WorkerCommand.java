package io.mooring.benchmarks.worker;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.cli.HarnessHome;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The command line of a worker's JVM.
 *
 * @param heap its Java heap
 * @param peerJar a plugin's jar that must come through SparkSubmit's {@code --jars}; null for a
 *     plain start
 * @param mooring whether Mooring's own classes come first on the class path
 * @param more jars of Spark's data sources: beside the peer's jar, as it has classes in packages of
 *     theirs, or else at the end of the class path
 */
public record WorkerCommand(ByteSize heap, Path peerJar, boolean mooring, List<Path> more) {

  /** Named here only: this package knows nothing of what runs in the JVM. */
  private static final String WORKER = "io.mooring.benchmarks.worker.jvm.Worker";

  private static final String SUBMIT = "org.apache.spark.deploy.SparkSubmit";

  /** SparkSubmit's word for an application without a jar: the main class is on the class path. */
  private static final String NO_JAR = "spark-internal";

  /** A JVM with everything on its class path. */
  public static WorkerCommand plain(ByteSize heap) {
    return new WorkerCommand(heap, null, false, List.of());
  }

  /** A start through SparkSubmit, with a jar that only Spark's class loader sees. */
  public WorkerCommand withJar(Path jar) {
    return new WorkerCommand(heap, jar, false, more);
  }

  /** A start with Mooring's classes on the class path, for a worker that uses them directly. */
  public WorkerCommand withMooring() {
    return new WorkerCommand(heap, null, true, more);
  }

  /** The same with jars of data sources. */
  public WorkerCommand withMore(List<Path> jars) {
    return new WorkerCommand(heap, peerJar, mooring, jars);
  }

  /** The command line. */
  public List<String> line() {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.add("@" + HarnessHome.folder().resolve("src/main/launch/spark-jvm.args"));
    line.add("-Xmx" + heap.bytes());
    line.add("-Djava.awt.headless=true");
    // The peer refuses to start where driver and executor differ, and reads some dates in UTC only.
    line.add("-Duser.timezone=UTC");
    line.add("-cp");
    line.add(
        joined(Stream.of(classPath()), peerJar == null ? more : List.of(), File.pathSeparator));
    line.addAll(program());
    return line;
  }

  private List<String> program() {
    return peerJar == null
        ? List.of(WORKER)
        : List.of(
            SUBMIT,
            "--master",
            "local[*]",
            "--class",
            WORKER,
            "--jars",
            joined(Stream.of(peerJar.toAbsolutePath().toString()), more, ","),
            NO_JAR);
  }

  private static String joined(Stream<String> first, List<Path> jars, String separator) {
    Stream<String> others = jars.stream().map(jar -> jar.toAbsolutePath().toString());
    return Stream.concat(first, others).collect(Collectors.joining(separator));
  }

  /**
   * The class path. The peer's leaves out cudf and Mooring, which would hide the cudf in the peer's
   * jar.
   */
  private String classPath() {
    String all = System.getProperty("java.class.path");
    if (mooring) {
      return HarnessHome.poolClasses() + File.pathSeparator + all;
    } else if (peerJar == null) {
      return all;
    }
    return String.join(
        File.pathSeparator,
        Arrays.stream(all.split(File.pathSeparator)).filter(WorkerCommand::isForPeer).toList());
  }

  private static boolean isForPeer(String entry) {
    String name = Path.of(entry).getFileName().toString();
    return !name.matches("cudf-\\d.*\\.jar") && !entry.equals(HarnessHome.jar());
  }
}
