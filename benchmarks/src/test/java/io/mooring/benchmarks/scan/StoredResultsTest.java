package io.mooring.benchmarks.scan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoredResultsTest {

  private static final List<List<Object>> ROWS =
      List.of(Arrays.asList(1, 1L << 40, 0.1, "a\u0000\"ä", true, null, List.of(2)), List.of());

  @TempDir private Path tables;

  private final List<String> asked = new ArrayList<>();

  private StoredResults stored(String version, Map<String, String> conf) {
    return StoredResults.of(Optional.of(tables), version, conf);
  }

  private List<List<Object>> spark(String sql) {
    asked.add(sql);
    return ROWS;
  }

  @Test
  void aStoredResultIsNotAskedForAgain() {
    assertThat(stored("4.1.3", Map.of("a", "1", "b", "2")).rows("q", this::spark)).isEqualTo(ROWS);
    assertThat(stored("4.1.3", Map.of("b", "2", "a", "1")).rows("q", this::spark)).isEqualTo(ROWS);
    assertThat(asked).containsExactly("q");
  }

  @Test
  void anotherQueryVersionOrSettingIsAnotherResult() {
    stored("4.1.3", Map.of("a", "1")).rows("q", this::spark);
    stored("4.1.3", Map.of("a", "1")).rows("r", this::spark);
    stored("4.1.4", Map.of("a", "1")).rows("q", this::spark);
    stored("4.1.3", Map.of("a", "2")).rows("q", this::spark);
    assertThat(asked).containsExactly("q", "r", "q", "q");
  }

  @Test
  void aDamagedFileIsReplaced() throws IOException {
    stored("4.1.3", Map.of()).rows("q", this::spark);
    try (Stream<Path> files = Files.list(tables.resolve("_expected-results"))) {
      Files.writeString(files.findAny().orElseThrow(), "[[1");
    }
    assertThat(stored("4.1.3", Map.of()).rows("q", this::spark)).isEqualTo(ROWS);
    stored("4.1.3", Map.of()).rows("q", this::spark);
    assertThat(asked).containsExactly("q", "q");
  }

  @Test
  void nothingIsStoredOverTablesThatMayChange() {
    StoredResults none = StoredResults.of(Optional.empty(), "4.1.3", Map.of());
    none.rows("q", this::spark);
    none.rows("q", this::spark);
    assertThat(asked).containsExactly("q", "q");
    assertThat(tables).isEmptyDirectory();
  }

  @Test
  void aFolderThatCannotBeWrittenOnlyCostsTime() throws IOException {
    Files.writeString(tables.resolve("_expected-results"), "");
    assertThat(stored("4.1.3", Map.of()).rows("q", this::spark)).isEqualTo(ROWS);
  }
}
