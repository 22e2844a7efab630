package io.mooring.spark;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The suite runs on the Spark that the build was asked for. */
class SparkVersionTest {
  @Test
  void theSuiteRunsOnTheSparkThatWasAskedFor() {
    assertThat(org.apache.spark.package$.MODULE$.SPARK_VERSION())
        .isEqualTo(System.getProperty("mooring.test.spark.version"));
  }
}
