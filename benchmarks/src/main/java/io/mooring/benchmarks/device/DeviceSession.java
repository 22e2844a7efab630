package io.mooring.benchmarks.device;

import com.fasterxml.jackson.databind.JsonNode;
import io.mooring.benchmarks.cli.InterruptHook;
import io.mooring.benchmarks.measure.Recording;
import io.mooring.benchmarks.process.LineProcess;
import io.mooring.benchmarks.process.ProcessException;
import io.mooring.benchmarks.report.Run;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A command's conversation with the process that has the devices; every answer becomes a row. */
public final class DeviceSession {

  private final LineProcess process;
  private final Recording recording;
  private final List<Device> devices;
  private volatile boolean stopping;

  DeviceSession(LineProcess process, Recording recording) {
    this.process = process;
    this.recording = recording;
    this.devices = list();
  }

  private List<Device> list() {
    List<Device> all = new ArrayList<>();
    JsonNode line = process.ask("devices");
    while (!line.has("end")) {
      all.add(Device.of(all.size(), line));
      line = process.answer();
    }
    return List.copyOf(all);
  }

  /** The GPUs of this machine, at least one. */
  public List<Device> devices() {
    return devices;
  }

  /** The recording that rows and notes go to. */
  public Recording recording() {
    return recording;
  }

  /** Asks for what has to work, or nothing else can. */
  public JsonNode ask(String request) {
    return process.ask(request);
  }

  /** The next line, when one request has several. */
  public JsonNode answer() {
    return process.answer();
  }

  /** Asks for what may fail: then it is recorded, and there is no answer. */
  public Optional<JsonNode> tryAsk(String request) {
    if (stopping || !process.isAlive()) {
      return Optional.empty();
    }
    try {
      return Optional.of(process.ask(request));
    } catch (ProcessException e) {
      InterruptHook.waitIfStopping(() -> stopping);
      recording.problem(e.getMessage());
      return Optional.empty();
    }
  }

  /**
   * Measures one sample and records its row; words that are not as they have to be are a problem.
   *
   * @param row with the bytes, but without the seconds
   * @return seconds, unless it failed
   */
  public Optional<Double> sample(Row row, String request) {
    return tryAsk(request).map(answer -> record(row, answer));
  }

  /**
   * The subject of a row.
   *
   * @param query what is measured
   * @param arm how
   * @param tasks devices or streams that work at the same time
   * @param round from 1
   * @param warmUp true when it counts in no figure
   * @param bytes that move; 0 when none do
   */
  public record Row(String query, String arm, int tasks, int round, boolean warmUp, long bytes) {}

  private double record(Row row, JsonNode answer) {
    double seconds = answer.get("seconds").doubleValue();
    long wrong = answer.path("wrong_words").longValue();
    if (wrong > 0) {
      recording.problem(
          "%s, %s: a copy changed data, %d words of 8 bytes are wrong"
              .formatted(row.query(), row.arm(), wrong));
    }
    recording.add(
        new Run(
            row.query(),
            row.arm(),
            row.tasks(),
            1,
            row.round(),
            row.warmUp(),
            "gpu",
            seconds,
            row.bytes(),
            0,
            Instant.now().toString(),
            answer.has("wrong_words") ? Map.of("wrong_words", wrong) : Map.of()));
    return seconds;
  }

  /** Whether the command was told to end. */
  boolean isStopping() {
    return stopping;
  }

  /** Ends the process at once; nothing that comes of it is a problem. */
  void kill() {
    stopping = true;
    process.kill();
  }
}
