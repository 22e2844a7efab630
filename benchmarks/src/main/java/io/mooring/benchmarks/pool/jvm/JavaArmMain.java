package io.mooring.benchmarks.pool.jvm;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One allocator in one JVM. Argument: bytes of its pool; the system property {@code
 * mooring.benchmarks.arm} names it. Requests and answers are those of the native program: {@code
 * rate own|ring|cross buffers THREADS SECONDS SEED}.
 */
public final class JavaArmMain {

  private static final ObjectMapper JSON = new ObjectMapper();

  private JavaArmMain() {}

  /** Makes the pool, then serves requests until the input ends. */
  public static void main(String[] args) throws IOException {
    PrintStream answers = System.out;
    System.setOut(System.err);
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    answer(answers, () -> open(Long.parseLong(args[0])));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ");
      answer(answers, () -> rate(words));
    }
  }

  private interface Work {
    Map<String, Object> run() throws Exception;
  }

  @SuppressWarnings("CatchAndPrintStackTrace") // standard error is this process's log
  private static void answer(PrintStream to, Work work) throws IOException {
    Map<String, Object> answer;
    try {
      answer = work.run();
    } catch (Exception | LinkageError | OutOfMemoryError e) {
      e.printStackTrace();
      answer = Map.of("error", String.valueOf(cause(e)));
    }
    to.println(JSON.writeValueAsString(answer));
    to.flush();
  }

  private static Throwable cause(Throwable e) {
    return e.getCause() == null || e.getCause() == e ? e : cause(e.getCause());
  }

  private static Map<String, Object> open(long poolBytes) {
    JavaArm arm = Arms.current();
    long start = System.nanoTime();
    arm.start(poolBytes);
    double first = (System.nanoTime() - start) / 1e9;
    arm.await();
    double ready = (System.nanoTime() - start) / 1e9;
    return Map.of("ready_seconds", ready, "first_seconds", first, "pinned", arm.pinned());
  }

  private static Map<String, Object> rate(String[] words) throws Exception {
    JavaArm arm = Arms.current();
    int threads = Integer.parseInt(words[3]);
    double seconds = Double.parseDouble(words[4]);
    long seed = Long.parseLong(words[5]);
    long before = arm.fallbacks();
    Map<String, Object> answer =
        new LinkedHashMap<>(
            words[1].equals("own")
                ? new Pairs(arm, threads, seed).measure(seconds)
                : new Rings(arm, words[1].equals("cross"), threads, seed).measure(seconds));
    answer.put("refused", arm.fallbacks() - before);
    return answer;
  }
}
