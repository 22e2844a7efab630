package io.mooring.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.mooring.testing.RequiresGpu;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.spark.resource.ResourceInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The discovery script in examples/, by what Spark makes of its words. */
class DiscoverGpusTest {
  private static final Path SCRIPT =
      Path.of(System.getProperty("mooring.basedir"), "examples", "discover-gpus");

  @TempDir Path folder;

  private static ProcessBuilder script() {
    return new ProcessBuilder("bash", SCRIPT.toString());
  }

  private static String output(ProcessBuilder script) throws IOException, InterruptedException {
    Process process = script.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() == 0 ? out : "failed";
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "0 2", "3 1 0 2"})
  void theAddressesOfTheEnvironmentAreGiven(String addresses) throws Exception {
    ProcessBuilder script = script();
    script.environment().put("GPU_ADDRESSES", addresses);
    ResourceInformation gpus = ResourceInformation.parseJson(output(script));
    assertThat(gpus.name()).isEqualTo("gpu");
    assertThat(gpus.addresses()).containsExactly(addresses.split(" "));
  }

  @Test
  void elseThoseThatTheDriversToolLists() throws Exception {
    Path tool = Files.writeString(folder.resolve("nvidia-smi"), "#!/bin/sh\necho 0\necho 1\n");
    Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwxr-xr-x"));
    ProcessBuilder script = script();
    script.environment().remove("GPU_ADDRESSES");
    script.environment().merge("PATH", folder.toString(), (old, ours) -> ours + ":" + old);
    ResourceInformation gpus = ResourceInformation.parseJson(output(script));
    assertThat(gpus.addresses()).containsExactly("0", "1");
  }

  @Test
  void withoutADriverItFails() throws Exception {
    assumeFalse(RequiresGpu.Condition.gpuIsThere());
    ProcessBuilder script = script();
    script.environment().remove("GPU_ADDRESSES");
    assertThat(output(script)).isEqualTo("failed");
  }
}
