package io.mooring.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordedArgumentsTest {

  @Test
  void pathsAreCutDownToNames() {
    List<String> given =
        List.of(
            "scan",
            "--data",
            "/mnt/a/sales",
            "--out=/x/here/",
            "--conf",
            "k.dir=/t/u",
            "a=/b/c,d=/e/f");
    assertThat(RecordedArguments.recorded(given))
        .containsExactly("scan", "--data", "sales", "--out=here", "--conf", "k.dir=u", "a=c,d=f");
  }

  @Test
  void everythingElseStays() {
    List<String> given =
        List.of("scan", "--tasks", "1,16", "--conf", "a=b", "--pool-size=16g", "select a/b, c");
    assertThat(RecordedArguments.recorded(given)).isEqualTo(given);
    assertThat(RecordedArguments.name(Path.of("/"))).isEqualTo("/");
  }
}
