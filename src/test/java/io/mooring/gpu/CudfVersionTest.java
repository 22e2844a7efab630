package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.mooring.conf.MooringVersion;
import io.mooring.testing.LogCapture;
import io.mooring.testing.SparkHomes;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CudfVersionTest {
  @TempDir Path folder;

  private URL fake(String name, String version) throws IOException {
    Path classes = Files.createDirectories(folder.resolve(name + "-classes"));
    String text = "version=" + version + "\n";
    Files.writeString(classes.resolve("cudf-java-version-info.properties"), text);
    return SparkHomes.jar(classes, folder.resolve(name)).toUri().toURL();
  }

  private static void check(URL... jars) throws IOException, UnusableGpuException {
    try (URLClassLoader loader = new URLClassLoader(jars, null)) {
      CudfVersion.check(loader);
    }
  }

  @Test
  void theCudfOfTheBuildIsAccepted() {
    assertThat(MooringVersion.cudf()).matches("\\d+\\.\\d+\\.\\d+");
    assertThatCode(() -> CudfVersion.check(CudfVersionTest.class.getClassLoader()))
        .doesNotThrowAnyException();
  }

  @Test
  void anotherCudfIsRefusedWithBothVersionsAndItsPlace() throws IOException {
    URL other = fake("other", "25.12.0");
    assertThatThrownBy(() -> check(other))
        .isInstanceOf(UnusableGpuException.class)
        .hasMessage(
            "cudf 25.12.0 (%s) is on the class path, but Mooring was built with cudf %s; keep"
                + " only the jar of ai.rapids:cudf:%s there",
            folder.resolve("other"), MooringVersion.cudf(), MooringVersion.cudf());
  }

  @Test
  void twoVersionsAreRefusedThoughOneIsRight() throws IOException {
    URL right = fake("right", MooringVersion.cudf());
    URL other = fake("other", "25.12.0");
    try (LogCapture log = LogCapture.open()) {
      assertThatThrownBy(() -> check(right, other))
          .hasMessageContaining("cudf " + MooringVersion.cudf() + " (" + folder.resolve("right"))
          .hasMessageContaining(" and cudf 25.12.0 (" + folder.resolve("other"));
      assertThat(log.messages(Level.WARN)).singleElement(STRING).contains(" and cudf 25.12.0 (");
    }
  }

  @Test
  void theRightVersionTwiceIsUsedWithOneWarning() throws Exception {
    URL one = fake("bundle.jar", MooringVersion.cudf());
    URL other = fake("cudf.jar", MooringVersion.cudf());
    try (LogCapture log = LogCapture.open()) {
      check(one, other);
      String cudf = MooringVersion.cudf();
      assertThat(log.messages(Level.WARN))
          .containsExactly(
              String.format(
                  "There is more than one cudf on the class path: cudf %s (%s) and cudf %s (%s)."
                      + " Keep only the jar of ai.rapids:cudf:%s",
                  cudf, folder.resolve("bundle.jar"), cudf, folder.resolve("cudf.jar"), cudf));
    }
  }

  @Test
  void oneRightVersionIsNotWarnedOf() throws Exception {
    URL right = fake("right.jar", MooringVersion.cudf());
    try (LogCapture log = LogCapture.open()) {
      check(right);
      assertThat(log.messages(Level.WARN)).isEmpty();
    }
  }

  @Test
  void noCudfIsSaid() {
    assertThatThrownBy(CudfVersionTest::check)
        .hasMessageStartingWith("there is no cudf on the class path");
  }
}
