package io.mooring.benchmarks.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.benchmarks.cli.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceFileTest {

  @TempDir private Path folder;

  @Test
  void aPackedTraceTakesThePlaceOfThePlainOne() throws IOException {
    TraceFile out = TraceFile.prepare(folder.resolve("t.gz"));
    byte[] trace = "MOORTRC1 and what follows".getBytes("US-ASCII");
    Files.write(out.plain(), trace);
    out.finish();
    try (var in = new GZIPInputStream(Files.newInputStream(folder.resolve("t.gz")))) {
      assertThat(in.readAllBytes()).isEqualTo(trace);
    }
    assertThat(folder).isDirectoryNotContaining("glob:**.plain");
  }

  @Test
  void otherNamesStayPlain() throws IOException {
    TraceFile out = TraceFile.prepare(folder.resolve("t.trace"));
    assertThat(out.plain()).isEqualTo(folder.resolve("t.trace"));
    Files.writeString(out.plain(), "x");
    out.finish();
    assertThat(folder.resolve("t.trace")).hasContent("x");
  }

  @Test
  void aFolderIsNoFile() {
    assertThatThrownBy(() -> TraceFile.prepare(folder))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("--trace-out");
  }
}
