package io.mooring.benchmarks.worker;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The harness's end of a {@link Worker}: a JVM of its own, asked one thing at a time. */
public final class WorkerProcess implements AutoCloseable {

  private static final int GOODBYE_SECONDS = 30;

  private final String name;
  private final Path log;
  private final Process process;
  private final BufferedWriter requests;
  private final BufferedReader replies;

  private WorkerProcess(String name, Path log, Process process) {
    this.name = name;
    this.log = log;
    this.process = process;
    this.requests =
        new BufferedWriter(
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
    this.replies =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** Starts a JVM; its standard error is appended to {@code logs/name.log}. */
  public static WorkerProcess launch(String name, WorkerCommand command, Path logs) {
    try {
      Files.createDirectories(logs);
      Path log = logs.resolve(name + ".log");
      Process process =
          new ProcessBuilder(command.line())
              .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
      return new WorkerProcess(name, log, process);
    } catch (IOException e) {
      throw new WorkerLostException(name + " did not start: " + e.getMessage(), e);
    }
  }

  /** Starts Spark in it. {@code tasks}: concurrent tasks. */
  public void start(int tasks, Map<String, String> conf) {
    ask(new Request.Start(tasks, conf), Reply.Done.class);
  }

  /** Sends one request and waits for the answer, which must be of the given kind. */
  public <T extends Reply> T ask(Request request, Class<T> kind) {
    Reply reply = exchange(request);
    if (reply instanceof Reply.Failed failed) {
      throw new RequestFailedException(failed.message());
    }
    return kind.cast(reply);
  }

  private Reply exchange(Request request) {
    try {
      requests.write(Wire.line(request));
      requests.newLine();
      requests.flush();
      String line = replies.readLine();
      while (line != null && !line.startsWith("{\"is\":")) {
        line = replies.readLine(); // something that native code printed
      }
      if (line != null) {
        return Wire.reply(line);
      }
    } catch (IOException e) {
      throw new WorkerLostException(lost(), e);
    }
    throw new WorkerLostException(lost(), null);
  }

  private String lost() {
    String code = "";
    try {
      code = process.waitFor(2, TimeUnit.SECONDS) ? " with code " + process.exitValue() : "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return "worker " + name + " ended" + code + "; see logs/" + log.getFileName();
  }

  /** Ends it at once. */
  public void kill() {
    process.destroyForcibly();
  }

  /** Asks it to end, and ends it when it does not. */
  @Override
  public void close() {
    try {
      if (process.isAlive()) {
        requests.write(Wire.line(new Request.Stop()));
        requests.newLine();
        requests.close();
        process.waitFor(GOODBYE_SECONDS, TimeUnit.SECONDS);
      }
    } catch (IOException e) {
      // it has ended already
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      process.destroyForcibly();
    }
  }
}
