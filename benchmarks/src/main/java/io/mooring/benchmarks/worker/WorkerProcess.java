package io.mooring.benchmarks.worker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mooring.benchmarks.process.LineProcess;
import io.mooring.benchmarks.process.ProcessException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A JVM with Spark that does what typed requests ask, one at a time, without a time limit. */
public final class WorkerProcess implements AutoCloseable {

  /** Spark settings of every worker: nothing but what keeps it quiet and local. */
  public static final Map<String, String> COMMON_CONF =
      Map.of(
          "spark.ui.enabled", "false",
          "spark.driver.bindAddress", "127.0.0.1",
          "spark.driver.host", "127.0.0.1",
          "spark.sql.session.timeZone", "UTC");

  private static final ObjectMapper JSON = new ObjectMapper();

  private final LineProcess process;

  private WorkerProcess(LineProcess process) {
    this.process = process;
  }

  /** Starts a JVM; its standard error is appended to {@code logs/name.log}. */
  public static WorkerProcess launch(String name, WorkerCommand command, Path logs) {
    try {
      Files.createDirectories(logs);
    } catch (IOException e) {
      throw new ProcessException.Lost("worker " + name + " has no log: " + e.getMessage());
    }
    Path log = logs.resolve(name + ".log");
    return new WorkerProcess(
        LineProcess.launch("worker " + name, command.line(), log, Optional.empty()));
  }

  /** Starts Spark in it. {@code tasks}: concurrent tasks. */
  public void start(int tasks, Map<String, String> conf) {
    ask(new Request.Start(tasks, conf), Reply.Done.class);
  }

  /** Sends one request and waits for its reply. */
  public <T extends Reply> T ask(Request request, Class<T> kind) {
    try {
      return JSON.treeToValue(process.ask(line(request)), kind);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("not a reply of " + kind, e);
    }
  }

  /** The rows of a query, collected. */
  public List<List<Object>> rows(String sql) {
    return ask(new Request.Query(sql, false), Reply.Result.class).rows();
  }

  /** A request as one line. */
  static String line(Request request) throws JsonProcessingException {
    return JSON.writerFor(Request.class).writeValueAsString(request);
  }

  /** The request of a line, for the JVM that serves it. */
  public static Request request(String line) throws JsonProcessingException {
    return JSON.readValue(line, Request.class);
  }

  /** Ends it at once. */
  public void kill() {
    process.kill();
  }

  /** Asks it to end, and ends it when it does not. */
  @Override
  public void close() {
    process.close();
  }
}
