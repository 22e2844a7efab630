package io.mooring.benchmarks.process;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * The end of {@link LineProcess}'s protocol in a JVM that measures: requests come on standard
 * input, answers go to standard output. What libraries print to {@code System.out} goes to standard
 * error, the process's log.
 */
public final class LineServer {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Answers one request. */
  public interface Handler {
    /** Returns what Jackson writes as one JSON object. */
    Object answer(String request) throws Exception;
  }

  private LineServer() {}

  /**
   * Greets and answers until standard input ends. A failed request is answered with the message of
   * its first cause, and its stack trace goes to the log.
   */
  public static void serve(Callable<Object> greeting, Handler handler) throws IOException {
    PrintStream answers = System.out;
    System.setOut(System.err);
    send(answers, greeting);
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String request = line;
      send(answers, () -> handler.answer(request));
    }
  }

  @SuppressWarnings("CatchAndPrintStackTrace") // standard error is this process's log
  private static void send(PrintStream to, Callable<Object> work) throws IOException {
    Object answer;
    try {
      answer = work.call();
    } catch (Exception | LinkageError | OutOfMemoryError e) {
      e.printStackTrace();
      answer = Map.of("error", message(e));
    }
    to.println(JSON.writeValueAsString(answer));
    to.flush();
  }

  /** The first line of what was thrown first: Spark wraps it several times. */
  private static String message(Throwable e) {
    Throwable cause = e;
    while (cause.getCause() != null && cause.getCause() != cause) {
      cause = cause.getCause();
    }
    return cause.toString().lines().findFirst().orElse("unknown");
  }
}
