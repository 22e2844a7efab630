package io.mooring.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.io.TempDir;

/** The end of a process that uses the pool to its last moment. */
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
}
