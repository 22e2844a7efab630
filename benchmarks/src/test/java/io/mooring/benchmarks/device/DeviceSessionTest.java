package io.mooring.benchmarks.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.benchmarks.device.DeviceSession.Row;
import io.mooring.benchmarks.measure.Recording;
import io.mooring.benchmarks.process.LineProcess;
import io.mooring.benchmarks.report.Run;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceSessionTest {

  private static final String START =
      """
      echo '{"devices":1}'; read r
      echo '{"name":"X","bus":"0000:3B:00.0","memory_bytes":9,"copy_engines":3,"numa_node":-1}'
      echo '{"end":true}'
      """;

  @TempDir private Path logs;
  private final Recording recording = new Recording();

  private DeviceSession session(String script) {
    LineProcess process =
        LineProcess.start("bench", List.of("sh", "-c", START + script), logs.resolve("log"));
    return new DeviceSession(process, recording);
  }

  private static Row row(int round) {
    return new Row("H2D, 1m", "pinned", 1, round, false, 1 << 20);
  }

  @Test
  void devicesAreListedAsSysfsSpellsThem() {
    assertThat(session("").devices()).containsExactly(new Device(0, "X", "0000:3b:00.0", 9, 3, -1));
  }

  @Test
  void eachSampleIsARow() {
    DeviceSession session = session("read r; echo '{\"seconds\":0.5,\"wrong_words\":0}'; read r");
    assertThat(session.sample(row(3), "transfer copy")).contains(0.5);
    assertThat(recording.problems()).isEmpty();
    Run run = recording.runs().get(0);
    assertThat(run.seconds()).isEqualTo(0.5);
    assertThat(run.bytes()).isEqualTo(1 << 20);
    assertThat(run.round()).isEqualTo(3);
    assertThat(run.metrics()).containsEntry("wrong_words", 0L);
  }

  @Test
  void wrongWordsAndErrorsAreProblemsAndTheRestIsMeasured() {
    DeviceSession session =
        session(
            """
            read r; echo '{"seconds":0.5,"wrong_words":7}'
            read r; echo '{"error":"cudaMemcpyAsync: out of memory"}'
            read r; echo '{"seconds":0.25}'
            read r
            """);
    for (int round = 1; round <= 3; round++) {
      session.sample(row(round), "transfer copy");
    }
    assertThat(recording.runs()).hasSize(2);
    assertThat(recording.problems())
        .containsExactly(
            "H2D, 1m, pinned: a copy changed data, 7 words of 8 bytes are wrong",
            "bench: cudaMemcpyAsync: out of memory");
  }

  @Test
  void aDeadProcessIsOneProblemHoweverManySamplesFollow() {
    DeviceSession session = session("read r; exit 9");
    for (int round = 1; round <= 3; round++) {
      assertThat(session.sample(row(round), "transfer copy")).isEmpty();
    }
    assertThat(recording.problems()).containsExactly("bench ended with code 9; see logs/log");
  }

  @Test
  void whatEndsOnRequestIsNoProblem() {
    DeviceSession session = session("read r; sleep 60");
    session.kill();
    assertThat(session.sample(row(1), "transfer copy")).isEmpty();
    assertThat(recording.problems()).isEmpty();
  }
}
