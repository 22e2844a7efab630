package io.mooring.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.mooring.testing.ChildJvm;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Mixed queries on 16 tasks for as long as {@code -Dmooring.test.soak=SECONDS} says, in several
 * processes with pools of random size. Left out unless it is asked for.
 */
@Tag("forked")
class SoakTest {
  private static final long SECONDS = Long.getLong("mooring.test.soak", 0);
  private static final int PROCESSES = Integer.getInteger("mooring.test.soak.processes", 4);
  private static final long SEED = Long.getLong("mooring.test.seed", System.nanoTime());
  private static final List<String> POOL_SIZES = List.of("8m", "32m", "256m", "1g");
  private static final long SLACK_BYTES = 64L << 20;

  /** Resident from the start, so that only the rest can grow. */
  private static final List<String> HEAP = List.of("-Xms2g", "-Xmx2g", "-XX:+AlwaysPreTouch");

  @TempDir Path folder;

  @Test
  void memoryStaysAndComesBack() throws Exception {
    assumeThat(SECONDS).as("seconds asked for").isPositive();
    Random random = new Random(SEED);
    System.out.println("SoakTest seed " + SEED);
    for (int i = 0; i < PROCESSES; i++) {
      String pool = POOL_SIZES.get(random.nextInt(POOL_SIZES.size()));
      SoakResult result = run(SECONDS / PROCESSES, random.nextLong(), pool);
      System.out.println("pool " + pool + ": " + result);
      assertThat(result.wrong()).isZero();
      assertThat(result.lost()).isZero();
      assertThat(result.right()).isPositive();
      assertThat(result.cancelled()).isPositive();
      assertThat(result.bytesInUseAtTheEnd()).isZero();
      assertThat(result.residentLate())
          .as("resident memory, last quarter against the second")
          .isLessThan(result.residentEarly() + result.residentEarly() / 20 + SLACK_BYTES);
    }
  }

  private SoakResult run(long seconds, long seed, String pool) throws Exception {
    ProcessBuilder builder =
        ChildJvm.of(HEAP, Soak.class, folder, Long.toString(seconds), Long.toString(seed), pool)
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    // Eight heaps of glibc for each core would take hours to fill, and hide what really grows.
    builder.environment().putIfAbsent("MALLOC_ARENA_MAX", "4");
    Process process = builder.start();
    SoakResult result = null;
    try (BufferedReader output = process.inputReader()) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        result = line.startsWith(SoakResult.MARK) ? SoakResult.parse(line) : result;
        if (line.startsWith(SoakResult.RESIDENT)) {
          System.out.println(line);
        }
      }
    }
    assertThat(process.waitFor()).isZero();
    assertThat(result).isNotNull();
    return result;
  }
}
