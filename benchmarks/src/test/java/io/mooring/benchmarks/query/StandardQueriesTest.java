package io.mooring.benchmarks.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StandardQueriesTest {

  @TempDir private Path folder;

  @Test
  void queriesComeByTheirNumbers() throws IOException {
    for (String name : List.of("q10", "q14b", "q2", "q14a", "q1")) {
      Files.writeString(folder.resolve(name + ".sql"), "\nSELECT '" + name + "'\n\n");
    }
    Files.writeString(folder.resolve("readme.txt"), "no query");
    StandardQueries queries = new StandardQueries(folder);
    assertThat(queries.names()).containsExactly("q1", "q2", "q10", "q14a", "q14b");
    assertThat(queries.text("q14a")).isEqualTo("SELECT 'q14a'");
  }

  /** Reports are published; the texts of the standard suites belong to others. */
  @Test
  void aReportHasTheDigestOfAStandardQueryAndTheTextOfAnyOther() {
    assertThat(ScanQuery.standard("q1", "SELECT 1").recorded())
        .isEqualTo("sha256:e004ebd5b5532a4b85984a62f8ad48a81aa3460c1ca07701f386135d72cdecf5");
    assertThat(ScanQuery.aggregate("own", "SELECT 1").recorded()).isEqualTo("SELECT 1");
  }
}
