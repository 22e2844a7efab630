package io.mooring.benchmarks.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Builds and runs the tests of the native programs, where GoogleTest is installed. */
class NativeTest {

  @TempDir private Path logs;

  @Test
  void theNativeTestsPass() throws IOException, InterruptedException {
    Path log = logs.resolve("build.log");
    boolean built = NativeBuild.make(NativeBuild.plainFolder(), false, "native_tests", log);
    assertThat(built).as(Files.readString(log)).isTrue();
    assumeTrue(
        Files.exists(NativeBuild.plainFolder().resolve("tests/CTestTestfile.cmake")),
        "GoogleTest is not installed");
    Path output = logs.resolve("tests.log");
    Process tests =
        new ProcessBuilder("ctest", "--test-dir", "tests", "--output-on-failure")
            .directory(NativeBuild.plainFolder().toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertThat(tests.waitFor()).as(Files.readString(output)).isZero();
  }
}
