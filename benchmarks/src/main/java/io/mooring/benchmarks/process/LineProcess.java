package io.mooring.benchmarks.process;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.mooring.benchmarks.report.Json;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A process that measures. Its protocol: it greets with one line of JSON, each request is one line,
 * each answer one or several lines of JSON. The key {@code error} says that a request failed,
 * {@code unavailable} that this machine lacks what the process needs. Other lines of its standard
 * output come from libraries and are skipped. The process ends when its standard input does, so it
 * never outlives the harness. {@link LineServer} is the other end in Java.
 *
 * <p>For one caller at a time; {@link #kill} may come from any thread.
 */
public final class LineProcess implements AutoCloseable {

  private static final Duration ANSWER_LIMIT = Duration.ofMinutes(3);
  private static final int GOODBYE_SECONDS = 60;

  private final String name;
  private final Path log;
  private final Process process;
  private final Optional<Duration> limit;
  private final BufferedWriter requests;
  private final BufferedReader answers;
  private JsonNode hello;

  private LineProcess(String name, Path log, Process process, Optional<Duration> limit) {
    this.name = name;
    this.log = log;
    this.process = process;
    this.limit = limit;
    this.requests =
        new BufferedWriter(
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
    this.answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /**
   * Starts a process and waits for its greeting; each answer may take three minutes.
   *
   * @param log file to which its standard error is appended
   */
  public static LineProcess start(String name, List<String> command, Path log) {
    LineProcess started = launch(name, command, log, Optional.of(ANSWER_LIMIT));
    started.hello();
    return started;
  }

  /**
   * Starts a process and returns at once.
   *
   * @param log file to which its standard error is appended
   * @param limit time for each answer, after which the process is killed; empty for none
   */
  public static LineProcess launch(
      String name, List<String> command, Path log, Optional<Duration> limit) {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
      return new LineProcess(name, log, process, limit);
    } catch (IOException e) {
      throw new ProcessException.Lost(name + " did not start: " + e.getMessage());
    }
  }

  /** Its greeting; the first call waits for it. */
  public JsonNode hello() {
    if (hello == null) {
      hello = answer();
    }
    return hello;
  }

  /** Sends one request and waits for the first line of the answer. */
  public JsonNode ask(String request) {
    hello();
    try {
      requests.write(request);
      requests.newLine();
      requests.flush();
    } catch (IOException e) {
      throw lost();
    }
    return answer();
  }

  /** Waits for the next line of an answer that has several. */
  public JsonNode answer() {
    // A process that hangs must not take the report with it.
    Optional<CompletableFuture<Void>> watchdog =
        limit.map(
            time ->
                CompletableFuture.runAsync(
                    this::kill,
                    CompletableFuture.delayedExecutor(time.toSeconds(), TimeUnit.SECONDS)));
    try {
      return read();
    } finally {
      watchdog.ifPresent(killing -> killing.cancel(false));
    }
  }

  private JsonNode read() {
    try {
      String line = answers.readLine();
      while (line != null && !line.startsWith("{")) {
        line = answers.readLine();
      }
      if (line == null) {
        throw lost();
      }
      return checked(Json.REPORT.readTree(line));
    } catch (JsonProcessingException e) {
      throw new ProcessException.Failed(name, "the answer is not JSON; see " + log.getFileName());
    } catch (IOException e) {
      throw lost();
    }
  }

  private JsonNode checked(JsonNode answer) {
    if (answer.has("unavailable")) {
      throw new ProcessException.Unavailable(name + ": " + answer.get("unavailable").asText());
    }
    if (answer.has("error")) {
      throw new ProcessException.Failed(name, answer.get("error").asText());
    }
    return answer;
  }

  private ProcessException.Lost lost() {
    String code = "";
    try {
      code = process.waitFor(2, TimeUnit.SECONDS) ? " with code " + process.exitValue() : "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return new ProcessException.Lost(name + " ended" + code + "; see logs/" + log.getFileName());
  }

  /** Whether it has not ended yet. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Ends it at once. */
  public void kill() {
    process.destroyForcibly();
  }

  /** Ends its standard input and waits up to a minute, so that its memory is free again. */
  @Override
  public void close() {
    try {
      requests.close();
      process.waitFor(GOODBYE_SECONDS, TimeUnit.SECONDS);
    } catch (IOException e) {
      // It has ended already.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      process.destroyForcibly();
    }
  }
}
