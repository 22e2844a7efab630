package io.mooring.benchmarks.pool.jvm;

import io.mooring.benchmarks.process.LineServer;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One allocator in one JVM. Argument: bytes of its pool; the system property {@code
 * mooring.benchmarks.arm} names it. Requests and answers are those of the native program: {@code
 * rate own|ring|cross buffers THREADS SECONDS SEED}.
 */
public final class JavaArmMain {

  private JavaArmMain() {}

  /** Makes the pool, then serves requests until standard input ends. */
  public static void main(String[] args) throws IOException {
    LineServer.serve(() -> open(Long.parseLong(args[0])), line -> rate(line.split(" ")));
  }

  private static Map<String, Object> open(long poolBytes) {
    JavaArm arm = CurrentArm.ARM;
    long start = System.nanoTime();
    arm.start(poolBytes);
    double first = (System.nanoTime() - start) / 1e9;
    arm.await();
    double ready = (System.nanoTime() - start) / 1e9;
    return Map.of("ready_seconds", ready, "first_seconds", first, "pinned", arm.pinned());
  }

  private static Map<String, Object> rate(String[] words) throws Exception {
    JavaArm arm = CurrentArm.ARM;
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

  private static JavaArm make(String name) {
    return switch (name) {
      case "mooring" -> new MooringArm();
      case "PinnedMemoryPool" -> new PinnedMemoryPoolArm();
      default -> throw new IllegalArgumentException("no arm '" + name + "'");
    };
  }

  /** The one allocator that this JVM measures: pools of two makers must not live side by side. */
  private static final class CurrentArm {
    static final JavaArm ARM = make(System.getProperty("mooring.benchmarks.arm", ""));
  }
}
