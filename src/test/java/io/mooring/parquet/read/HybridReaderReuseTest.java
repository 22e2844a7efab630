package io.mooring.parquet.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.parquet.files.ParquetFiles;
import io.mooring.testing.RequiresGpu;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The fault of cudf 26.08.1 for which {@link HybridTableDecoder} makes a reader for each call. */
@Tag("forked-gpu")
@RequiresGpu
class HybridReaderReuseTest {
  private static final int LIMIT_SECONDS = 180;

  @TempDir Path folder;

  @Test
  void aReaderStillServesOneCallOnly() throws Exception {
    Path file = folder.resolve("a.parquet");
    ParquetFiles.write(file, 5_000, 1 << 20);
    List<String> lines = run(file);
    assertThat(lines).contains(HybridReaderTwice.FIRST);
    assertThat(lines)
        .as("this cudf decodes twice with one reader: HybridTableDecoder can keep its readers")
        .doesNotContain(HybridReaderTwice.SECOND);
  }

  /** The lines that the program printed until it ended, or was ended. */
  private List<String> run(Path file) throws IOException, InterruptedException {
    Path output = folder.resolve("output.txt");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:-CreateCoredumpOnCrash",
                "-XX:ErrorFile=" + folder.resolve("crash.log"),
                "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
                "-cp",
                System.getProperty("java.class.path"),
                HybridReaderTwice.class.getName(),
                file.toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
    } finally {
      process.destroyForcibly().waitFor();
    }
    return Files.readAllLines(output);
  }
}
