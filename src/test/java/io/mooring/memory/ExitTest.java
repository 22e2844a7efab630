package io.mooring.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The end of a process that uses the pool to its last moment. */
@Tag("extended")
class ExitTest {
  @TempDir Path folder;

  @RepeatedTest(3)
  void aProcessWithOpenBuffersAndBusyThreadsEndsCleanAndFast() throws Exception {
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                ExitWithBuffers.class.getName())
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      waitForLastWord(process, output);
      long before = System.nanoTime();
      assertThat(process.waitFor(20, TimeUnit.SECONDS)).as("it ends").isTrue();
      assertThat(System.nanoTime() - before).isLessThan(TimeUnit.SECONDS.toNanos(10));
      assertThat(process.exitValue()).as(Files.readString(output)).isZero();
      assertThat(ChildJvm.crashReports(folder)).isZero();
    } finally {
      process.destroyForcibly();
    }
  }

  private static void waitForLastWord(Process process, Path output) throws Exception {
    while (!Files.readString(output).contains(ExitWithBuffers.LAST_WORD)) {
      if (!process.isAlive() && !Files.readString(output).contains(ExitWithBuffers.LAST_WORD)) {
        throw new AssertionError("It ended early: " + Files.readString(output));
      }
      Thread.sleep(5);
    }
  }

  /**
   * A process whose main thread ends while buffers are open, daemon threads allocate and free, one
   * waits for memory, and the pool grows.
   */
  static final class ExitWithBuffers {
    static final String LAST_WORD = "main ends";
    private static final int MIB = 1 << 20;

    private ExitWithBuffers() {}

    public static void main(String[] args) throws InterruptedException {
      PinnedPool.start(
          new PoolSettings(
              64L * MIB,
              256L * MIB,
              8L * MIB,
              Duration.ofMinutes(5),
              1,
              -1,
              List.of(), /* leaks */
              true));
      PinnedPool.awaitStarted(Duration.ofSeconds(30));
      HostBuffer open = HostMemory.allocate(3 * MIB);
      for (int t = 0; t < 4; t++) {
        daemon(ExitWithBuffers::churnForEver);
      }
      daemon(ExitWithBuffers::takeEverything);
      while (PinnedPool.stats().get(PoolStat.WAIT_COUNT) == 0) {
        Thread.sleep(1);
      }
      System.out.println(LAST_WORD + ", " + open.length() + " bytes open");
    }

    private static void daemon(Runnable work) {
      Thread thread = new Thread(work);
      thread.setDaemon(true);
      thread.start();
    }

    private static void churnForEver() {
      Random random = new Random();
      while (true) {
        try (HostBuffer buffer = HostMemory.allocate(1 + random.nextInt(MIB))) {
          HostMemory.copyIn(new byte[1], 1, buffer.address());
        }
      }
    }

    private static void takeEverything() {
      HostBuffer[] held = new HostBuffer[10_000];
      for (int i = 0; i < held.length; i++) {
        held[i] = HostMemory.allocate(2 * MIB);
      }
    }
  }
}
