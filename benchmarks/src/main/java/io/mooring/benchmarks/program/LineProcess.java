package io.mooring.benchmarks.program;

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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A process that measures: a line is asked, a line of JSON comes back. One caller at a time. */
public final class LineProcess implements AutoCloseable {

  private static final int GOODBYE_SECONDS = 60;
  private static final int LIMIT_SECONDS = 180;

  private final String name;
  private final Path log;
  private final Process process;
  private final BufferedWriter requests;
  private final BufferedReader answers;
  private final JsonNode hello;

  private LineProcess(String name, Path log, Process process) {
    this.name = name;
    this.log = log;
    this.process = process;
    this.requests =
        new BufferedWriter(
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
    this.answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    this.hello = answer();
  }

  /** Starts it and waits for its first line; its standard error is appended to the log. */
  public static LineProcess start(String name, List<String> command, Path log) {
    try {
      return new LineProcess(
          name,
          log,
          new ProcessBuilder(command)
              .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start());
    } catch (IOException e) {
      throw new ProgramFailedException(name + " did not start: " + e.getMessage());
    }
  }

  /** What it said of its start. */
  public JsonNode hello() {
    return hello;
  }

  /** Asks one thing. */
  public JsonNode ask(String request) {
    try {
      requests.write(request);
      requests.newLine();
      requests.flush();
    } catch (IOException e) {
      throw new ProgramFailedException(lost());
    }
    return answer();
  }

  /** The next line, when one request has several. */
  public JsonNode answer() {
    // What hangs must not take the report with it.
    CompletableFuture<Void> limit =
        CompletableFuture.runAsync(
            this::kill, CompletableFuture.delayedExecutor(LIMIT_SECONDS, TimeUnit.SECONDS));
    try {
      return read();
    } finally {
      limit.cancel(false);
    }
  }

  private JsonNode read() {
    try {
      String line = answers.readLine();
      while (line != null && !line.startsWith("{")) {
        line = answers.readLine(); // something that a library printed
      }
      if (line == null) {
        throw new ProgramFailedException(lost());
      }
      return checked(Json.REPORT.readTree(line));
    } catch (JsonProcessingException e) {
      throw new ProgramFailedException(
          name + " answered what is no JSON; see " + log.getFileName());
    } catch (IOException e) {
      throw new ProgramFailedException(lost());
    }
  }

  private JsonNode checked(JsonNode answer) {
    if (answer.has("unavailable")) {
      throw new ProgramUnavailableException(name + ": " + answer.get("unavailable").asText());
    }
    if (answer.has("error")) {
      throw new ProgramFailedException(name + ": " + answer.get("error").asText());
    }
    return answer;
  }

  private String lost() {
    String code = "";
    try {
      code = process.waitFor(2, TimeUnit.SECONDS) ? " with code " + process.exitValue() : "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return name + " ended" + code + "; see logs/" + log.getFileName();
  }

  /** Whether it has not ended yet. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Ends it at once. */
  public void kill() {
    process.destroyForcibly();
  }

  /** Ends its input, and waits, so that its memory is free again. */
  @Override
  public void close() {
    try {
      requests.close();
      process.waitFor(GOODBYE_SECONDS, TimeUnit.SECONDS);
    } catch (IOException e) {
      // it has ended already
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      process.destroyForcibly();
    }
  }
}
