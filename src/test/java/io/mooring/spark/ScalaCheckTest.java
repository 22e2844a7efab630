package io.mooring.spark;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.util.Properties;

/** Sparks for which the jar is not built are told so. */
class ScalaCheckTest {
  @ParameterizedTest
  @ValueSource(strings = {"2.12.18", "2.1.3", "3.3.1"})
  void otherVersionsOfScala_areAProblem(String version) {
    assertThat(ScalaCheck.problem(version).orElseThrow())
        .startsWith(
            "Mooring is off: it is built for Scala 2.13, and this Spark for Scala " + version);
  }

  @Test
  void scala213_isNone() {
    assertThat(ScalaCheck.problem("2.13.17")).isEmpty();
    assertThat(ScalaCheck.problem(Properties.versionNumberString())).isEmpty();
  }
}
