package io.mooring.benchmarks.pool;

import io.mooring.benchmarks.cli.HarnessHome;
import io.mooring.benchmarks.cli.InterruptHook;
import io.mooring.benchmarks.measure.Recording;
import io.mooring.benchmarks.process.LineProcess;
import io.mooring.benchmarks.process.ProcessException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Shared by the steps of one {@code pool}: the plan, the start of arms, and the recording. */
final class PoolSession implements AutoCloseable {

  private final PoolPlan plan;
  private final Recording recording;
  private final NativeProgram program;
  private final Path logs;
  private final String libcudf;
  private final Set<LineProcess> started = ConcurrentHashMap.newKeySet();
  private volatile boolean stopping;

  PoolSession(PoolPlan plan, Recording recording, NativeProgram program, Path logs) {
    this.plan = plan;
    this.recording = recording;
    this.program = program;
    this.logs = logs;
    this.libcudf = program.peers() ? libcudf() : "";
  }

  private String libcudf() {
    try {
      return LibcudfFile.unpacked().toString();
    } catch (ProcessException.Unavailable e) {
      recording.note(e.getMessage());
      return "";
    }
  }

  PoolPlan plan() {
    return plan;
  }

  Recording recording() {
    return recording;
  }

  /** Asks for a rate: {@code mode} is {@code own}, {@code ring} or {@code cross}. */
  String rateRequest(String mode, PoolArm arm, int threads, int round) {
    return String.format(
        Locale.ROOT,
        "rate %s %s %d %.3f %d",
        mode,
        arm.face(),
        threads,
        plan.seconds(),
        plan.seed() + 1000L * round);
  }

  /** Starts the process of an arm with a pool of this size. */
  LineProcess start(PoolArm arm, long poolBytes) {
    var command =
        arm.java()
            ? JavaProgram.command(arm.process(), poolBytes)
            : program.command(arm.process(), poolBytes, libcudf);
    Path log = logs.resolve(arm.processName() + ".log");
    LineProcess process = LineProcess.start(arm.processName(), command, log);
    started.add(process);
    return process;
  }

  /** Starts it, uses it and ends it; what fails is recorded. */
  void with(PoolArm arm, long poolBytes, Consumer<LineProcess> work) {
    guarded(
        () -> {
          try (LineProcess process = start(arm, poolBytes)) {
            work.accept(process);
          }
        });
  }

  /**
   * Runs the work. A failure is recorded, each message once; returns false after a failure and when
   * the command is ending.
   */
  boolean guarded(Runnable work) {
    if (stopping) {
      return false;
    }
    try {
      work.run();
      return true;
    } catch (ProcessException.Unavailable e) {
      recording.note("left out: " + e.getMessage());
    } catch (ProcessException e) {
      InterruptHook.waitIfStopping(() -> stopping);
      recording.problem(e.getMessage());
    }
    return false;
  }

  /** Whether the arm can be measured here. */
  boolean has(PoolArm arm) {
    boolean peer = arm.name().equals(PoolArm.RMM) || arm.name().equals(PoolArm.LIBCUDF_DEFAULT);
    return (plan.gpu() || !arm.needsGpu()) && (program.peers() || !peer);
  }

  /** Ends every process at once. */
  void kill() {
    stopping = true;
    started.forEach(LineProcess::kill);
  }

  @Override
  public void close() {
    kill();
  }

  /** The command line of an allocator's JVM. */
  private static final class JavaProgram {
    private static final String HEAP = "-Xmx1g";
    private static final String MAIN = "io.mooring.benchmarks.pool.jvm.JavaArmMain";

    private JavaProgram() {}

    static List<String> command(String arm, long poolBytes) {
      return List.of(
          Path.of(System.getProperty("java.home"), "bin", "java").toString(),
          "@" + HarnessHome.folder().resolve("src/main/launch/spark-jvm.args"),
          HEAP,
          "-Dmooring.benchmarks.arm=" + arm,
          "-cp",
          HarnessHome.poolClasses() + File.pathSeparator + System.getProperty("java.class.path"),
          MAIN,
          Long.toString(poolBytes));
    }
  }

  /** libcudf.so out of the cudf jar on the class path: half a gigabyte, kept for the next run. */
  private static final class LibcudfFile {

    private LibcudfFile() {}

    /** The file, unpacked if it is not there yet. */
    static Path unpacked() {
      String resource =
          System.getProperty("os.arch") + "/" + System.getProperty("os.name") + "/libcudf.so";
      URL packed = LibcudfFile.class.getClassLoader().getResource(resource);
      if (packed == null) {
        throw new ProcessException.Unavailable("the class path holds no " + resource);
      }
      Path file = HarnessHome.folder().resolve("target/libcudf/libcudf.so");
      try {
        URLConnection connection = packed.openConnection();
        if (!Files.exists(file) || Files.size(file) != connection.getContentLengthLong()) {
          unpack(connection, file);
        }
        return file;
      } catch (IOException e) {
        throw new ProcessException.Unavailable("libcudf.so cannot be unpacked: " + e.getMessage());
      }
    }

    private static void unpack(URLConnection from, Path file) throws IOException {
      Files.createDirectories(file.getParent());
      try (InputStream in = from.getInputStream()) {
        Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }
}
