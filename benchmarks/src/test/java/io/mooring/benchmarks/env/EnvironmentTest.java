package io.mooring.benchmarks.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnvironmentTest {

  /** Lies in the checkout of this project where the build keeps temporary files there. */
  @TempDir private Path noCheckout;

  @Test
  void theCommitIsTheNamedOneOrUnknown() {
    assertThat(Environment.commit("abc", noCheckout)).isEqualTo("abc");
    assertThat(Environment.commit(" ", noCheckout)).isEqualTo("unknown");
    assertThat(Environment.commit(null, noCheckout)).isEqualTo("unknown");
  }

  @Test
  void anUnknownCommitIsOneLineThatNamesTheVariable() {
    assumeTrue(System.getenv("MOORING_COMMIT") == null, "the commit is named");
    PrintStream before = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      assertThat(Environment.probe(noCheckout, "").knowsCommit()).isFalse();
    } finally {
      System.setErr(before);
    }
    assertThat(said.toString(StandardCharsets.UTF_8).lines())
        .singleElement()
        .asString()
        .contains("commit", "MOORING_COMMIT");
  }
}
