package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.ChildJvm;
import io.mooring.testing.MemoryCgroup;
import io.mooring.testing.RequiresGpu;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An executor under a container's memory limit, with everything full at the same time. */
@Tag("forked")
class ContainerTest {
  private static final long MIB = 1L << 20;

  @TempDir Path folder;

  /** The pod of a heap of 8 GiB and Spark's own overhead of a tenth. */
  @Test
  @RequiresGpu
  @Timeout(300)
  void aPodWithSparksDefaultOverheadLives() throws Exception {
    assertLives("8g", 9011 * MIB, "The pinned pool gets 114 of 2252 MiB");
  }

  /** Smaller, and without the driver: on every machine that lets a cgroup be made. */
  @Test
  @Timeout(300)
  void asMuchAsTheRuleSaysFits() throws Exception {
    assertLives("1g", 2048 * MIB, "spark.executor.memoryOverhead=");
  }

  private void assertLives(String heap, long limit, String warning) throws Exception {
    Path output = folder.resolve("output");
    try (MemoryCgroup container = MemoryCgroup.of(limit)) {
      List<String> command =
          ChildJvm.of(List.of("-Xmx" + heap), ContainedExecutor.class, folder, folder.toString())
              .command();
      Process process =
          container
              .run(command, folder)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      try {
        assertThat(process.waitFor(280, TimeUnit.SECONDS)).as("it ends").isTrue();
        System.out.println(container.usage());
        assertThat(process.exitValue()).as(container.usage() + Files.readString(output)).isZero();
      } finally {
        process.destroyForcibly().waitFor();
      }
    }
    assertThat(Files.readString(output)).contains(ContainedExecutor.LAST_WORD).contains(warning);
  }
}
