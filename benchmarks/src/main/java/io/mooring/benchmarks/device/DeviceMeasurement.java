package io.mooring.benchmarks.device;

import io.mooring.benchmarks.cli.HarnessHome;
import io.mooring.benchmarks.cli.InterruptHook;
import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.env.Environment;
import io.mooring.benchmarks.measure.MeasuredRun;
import io.mooring.benchmarks.measure.Recording;
import io.mooring.benchmarks.process.LineProcess;
import io.mooring.benchmarks.process.NativeBuild;
import io.mooring.benchmarks.process.ProcessException;
import io.mooring.benchmarks.report.Check;
import io.mooring.benchmarks.report.Summary;
import io.mooring.benchmarks.report.page.ReportFolder;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Shared by the commands that measure devices: the report, the process, and the case without a GPU.
 */
public final class DeviceMeasurement {

  /** The beginning of the note where there is no GPU. */
  public static final String NO_GPU = "No usable GPU";

  /** The part of a command that differs from others. */
  public interface Work {

    /** Settings, and what was found out beside the rows. */
    Map<String, Object> configuration();

    /** Arms against which others are compared, best first. */
    List<String> bases();

    /** Why there is nothing to measure even if there were a GPU; empty: measure. */
    default Optional<String> pointless() {
      return Optional.empty();
    }

    /** Why there is nothing to measure with these devices; empty: measure. */
    default Optional<String> pointless(List<Device> devices) {
      return Optional.empty();
    }

    /** About how many rows it adds with these devices. */
    int rows(List<Device> devices);

    /** Measures. */
    void run(DeviceSession session);

    /** The targets; skipped where {@code skipped} says why nothing was measured. */
    List<Check> checks(Summary summary, Optional<String> skipped);

    /** Printed below the tables of every report; may be empty. */
    String text(Summary summary);
  }

  private final String name;
  private final List<String> arguments;
  private final ReportFolder folder;
  private final Work work;
  private final Recording recording = new Recording();
  private Optional<String> skipped = Optional.empty();
  private Optional<DeviceSession> session = Optional.empty();

  private DeviceMeasurement(String name, List<String> arguments, ReportFolder folder, Work work) {
    this.name = name;
    this.arguments = arguments;
    this.folder = folder;
    this.work = work;
  }

  /** Runs a command; its exit code. */
  public static int call(String name, List<String> arguments, ReportFolder folder, Work work) {
    return new DeviceMeasurement(name, arguments, folder, work).call();
  }

  private int call() {
    Environment environment =
        Environment.probe(HarnessHome.folder().getParent(), HarnessHome.jar());
    Optional<LineProcess> process = start(environment);
    MeasuredRun run =
        new MeasuredRun(name, arguments, environment, folder, recording, about(process));
    try {
      int rows = session.map(s -> work.rows(s.devices())).orElse(0);
      return run.call(rows, () -> session.ifPresent(this::measure));
    } finally {
      process.ifPresent(LineProcess::close);
    }
  }

  private MeasuredRun.About about(Optional<LineProcess> process) {
    return new MeasuredRun.About(
        this::configuration,
        work.bases(),
        summary -> work.checks(summary, skipped),
        work::text,
        () -> {
          session.ifPresent(DeviceSession::kill);
          process.ifPresent(LineProcess::kill);
        });
  }

  private Map<String, Object> configuration() {
    Map<String, Object> all = new LinkedHashMap<>(work.configuration());
    session.ifPresent(s -> all.put("devices", s.devices()));
    return all;
  }

  private void measure(DeviceSession with) {
    try {
      work.run(with);
    } catch (ProcessException e) {
      InterruptHook.waitIfStopping(with::isStopping);
      recording.problem(e.getMessage());
    }
  }

  /** The process, unless there is nothing to measure, which is noted. */
  private Optional<LineProcess> start(Environment environment) {
    Optional<String> reason = work.pointless();
    if (reason.isEmpty() && environment.gpus().isEmpty()) {
      reason = Optional.of(NO_GPU + ": nvidia-smi lists none, nothing is measured");
    }
    if (reason.isPresent()) {
      skip(reason.get());
      return Optional.empty();
    }
    try {
      LineProcess process = program();
      session = Optional.of(new DeviceSession(process, recording));
      work.pointless(session.get().devices()).ifPresent(this::skip);
      return Optional.of(process);
    } catch (ProcessException.Unavailable e) {
      skip(NO_GPU + ": " + e.getMessage());
      return Optional.empty();
    }
  }

  private LineProcess program() {
    System.err.println("Building the native program");
    Path logs = folder.path().resolve("logs");
    Path log = logs.resolve("native-build.log");
    if (!NativeBuild.make(NativeBuild.plainFolder(), false, "device_bench", log)) {
      throw UserError.failure("the native program could not be built; see " + log);
    }
    String file = NativeBuild.plainFolder().resolve("device_bench").toString();
    return LineProcess.start("device_bench", List.of(file), logs.resolve("device_bench.log"));
  }

  private void skip(String reason) {
    skipped = Optional.of(reason);
    session = Optional.empty();
    recording.note(reason);
    System.err.println(reason);
  }
}
