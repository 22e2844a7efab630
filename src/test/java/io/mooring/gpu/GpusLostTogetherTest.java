package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.ChildJvm;
import io.mooring.testing.RequiresGpu;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A kernel goes astray on one GPU of a process: CUDA takes the other ones along. */
@Tag("forked-gpu")
@RequiresGpu(devices = 2)
class GpusLostTogetherTest {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir Path folder;

  @Test
  void sparksReaderGoesOn() throws Exception {
    String output = ChildJvm.toItsEnd(LIMIT, 0, GpusLostTogether.class, folder, folder.toString());
    assertThat(output).contains(GpusLostTogether.DONE);
  }
}
