package io.mooring.benchmarks.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineProcessTest {

  @TempDir private Path logs;

  private LineProcess start(String script) {
    return LineProcess.start("arm", List.of("sh", "-c", script), logs.resolve("arm.log"));
  }

  @Test
  void answersAreReadPastWhatLibrariesPrint() {
    try (LineProcess arm =
        start("echo warning; echo '{\"a\":1}'; read r; echo \"{\\\"r\\\":\\\"$r\\\"}\"")) {
      assertThat(arm.hello().get("a").intValue()).isEqualTo(1);
      assertThat(arm.ask("rate own").get("r").asText()).isEqualTo("rate own");
    }
  }

  @Test
  void whatIsMissingDiffersFromWhatFails() {
    assertThatThrownBy(() -> start("echo '{\"unavailable\":\"needs a GPU\"}'"))
        .isInstanceOf(ProcessException.Unavailable.class)
        .hasMessage("arm: needs a GPU");
    assertThatThrownBy(() -> start("echo '{\"error\":\"out of memory\"}'"))
        .isInstanceOf(ProcessException.Failed.class)
        .hasMessage("arm: out of memory");
  }

  @Test
  void aDeadProcessIsNamedWithItsCodeAndLog() {
    assertThatThrownBy(() -> start("exit 3"))
        .isInstanceOf(ProcessException.Lost.class)
        .hasMessage("arm ended with code 3; see logs/arm.log");
  }
}
