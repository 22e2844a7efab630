package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CudfVersionTest {
  @TempDir Path folder;

  private URL fake(String name, String version) throws IOException {
    Path jar = Files.createDirectories(folder.resolve(name));
    String text = "version=" + version + "\n";
    Files.writeString(jar.resolve("cudf-java-version-info.properties"), text);
    return jar.toUri().toURL();
  }

  private static void check(URL... jars) throws IOException, UnusableGpuException {
    try (URLClassLoader loader = new URLClassLoader(jars, null)) {
      CudfVersion.check(loader);
    }
  }

  @Test
  void theCudfOfTheBuildIsAccepted() {
    assertThat(CudfVersion.expected()).matches("\\d+\\.\\d+\\.\\d+");
    assertThatCode(() -> CudfVersion.check(CudfVersionTest.class.getClassLoader()))
        .doesNotThrowAnyException();
  }

  @Test
  void anotherCudfIsRefusedWithBothVersionsAndItsPlace() throws IOException {
    URL other = fake("other", "25.12.0");
    assertThatThrownBy(() -> check(other))
        .isInstanceOf(UnusableGpuException.class)
        .hasMessage(
            "cudf 25.12.0 (%s) is on the class path, but Mooring was built with cudf %s; have the"
                + " jar of ai.rapids:cudf:%s there, and no other",
            folder.resolve("other"), CudfVersion.expected(), CudfVersion.expected());
  }

  @Test
  void twoVersionsAreRefusedThoughOneIsRight() throws IOException {
    URL right = fake("right", CudfVersion.expected());
    URL other = fake("other", "25.12.0");
    assertThatThrownBy(() -> check(right, other))
        .hasMessageContaining("cudf " + CudfVersion.expected() + " (" + folder.resolve("right"))
        .hasMessageContaining(" and cudf 25.12.0 (" + folder.resolve("other"));
  }

  @Test
  void noCudfIsSaid() {
    assertThatThrownBy(CudfVersionTest::check)
        .hasMessageStartingWith("there is no cudf on the class path");
  }
}
