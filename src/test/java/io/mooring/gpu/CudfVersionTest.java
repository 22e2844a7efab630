package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CudfVersionTest {
  @TempDir Path folder;

  private String problemWith(String properties) throws IOException {
    Files.writeString(folder.resolve("cudf-java-version-info.properties"), properties);
    URL[] urls = {folder.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(urls, null)) {
      return CudfVersion.problem(loader);
    }
  }

  @Test
  void theCudfOfTheBuildIsAccepted() {
    assertThat(CudfVersion.expected()).matches("\\d+\\.\\d+\\.\\d+");
    assertThat(CudfVersion.problem(CudfVersionTest.class.getClassLoader())).isNull();
  }

  @Test
  void anotherCudfIsRefusedWithBothVersionsAndItsPlace() throws IOException {
    assertThat(problemWith("version=25.12.0\n"))
        .contains("25.12.0")
        .contains(CudfVersion.expected())
        .contains(folder.getFileName().toString());
  }

  @Test
  void noCudfIsSaid() throws IOException {
    try (URLClassLoader empty = new URLClassLoader(new URL[0], null)) {
      assertThat(CudfVersion.problem(empty)).contains("no cudf on the class path");
    }
  }
}
