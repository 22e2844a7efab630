package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.ChildJvm;
import io.mooring.testing.RequiresGpu;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A kernel goes astray on one GPU of a process: CUDA takes the other ones along. */
@Tag("forked")
@RequiresGpu(devices = 2)
class GpusLostTogetherTest {
  private static final int LIMIT_SECONDS = 180;

  @TempDir Path folder;

  @Test
  void sparksReaderGoesOn() throws Exception {
    Path output = folder.resolve("output");
    Process process =
        ChildJvm.of(GpusLostTogether.class, folder, folder.toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
      assertThat(ended).as("it ends after " + ChildJvm.lastOf(output)).isTrue();
      assertThat(process.exitValue()).as(ChildJvm.lastOf(output)).isZero();
    } finally {
      process.destroyForcibly();
    }
    assertThat(Files.readString(output)).contains(GpusLostTogether.DONE);
  }
}
