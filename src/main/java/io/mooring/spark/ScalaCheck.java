package io.mooring.spark;

import java.util.Optional;

/**
 * The check for the Scala that Spark was built with. The same Spark is there for Scala 2.12, too,
 * whose classes have other signatures: there a strategy of this jar would end every query.
 */
final class ScalaCheck {
  private static final String PROBLEM =
      "Mooring is off: it is built for Scala 2.13, and this Spark for Scala %s. Take a download of"
          + " Spark with scala2.13 in its name";

  private ScalaCheck() {}

  /**
   * Why the jar does not work with a version of Scala; empty where it does.
   *
   * @param version such as 2.13.17
   */
  static Optional<String> problem(String version) {
    return version.startsWith("2.13.")
        ? Optional.empty()
        : Optional.of(String.format(PROBLEM, version));
  }
}
