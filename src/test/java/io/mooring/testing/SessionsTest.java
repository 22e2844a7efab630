package io.mooring.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A session that had other settings for a while is as it was before. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SessionsTest {
  private static final String OWN = "spark.sql.shuffle.partitions";
  private static final String DEFAULT = "spark.sql.caseSensitive";
  private static final String WITHOUT_DEFAULT = "spark.mooring.test.unknown";
  private static final Map<String, String> OTHERS =
      Map.of(OWN, "7", DEFAULT, "true", WITHOUT_DEFAULT, "1");

  private SparkSession spark;

  @BeforeAll
  void start() {
    spark = Sessions.withPlugin(1, Map.of());
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  @AfterEach
  void allIsAsItWas() {
    assertThat(spark.conf().get(OWN)).isEqualTo("4");
    assertThat(spark.conf().contains(DEFAULT)).isFalse();
    assertThat(spark.conf().get(DEFAULT)).isEqualTo("false");
    assertThat(spark.conf().contains(WITHOUT_DEFAULT)).isFalse();
  }

  private void assertOthers() {
    OTHERS.forEach((key, value) -> assertThat(spark.conf().get(key)).isEqualTo(value));
  }

  @Test
  void severalSettingsHoldDuringTheWork() {
    Sessions.with(spark, OTHERS, this::assertOthers);
  }

  @Test
  void whatTheWorkSetsItselfIsLost() {
    Sessions.with(spark, DEFAULT, "true", () -> spark.conf().set(DEFAULT, "false"));
    Sessions.with(spark, OWN, "7", () -> spark.conf().unset(OWN));
  }

  @Test
  void soItIsWhenTheWorkFails() {
    Runnable work =
        () -> {
          assertOthers();
          throw new IllegalStateException("failed");
        };
    assertThatThrownBy(() -> Sessions.with(spark, OTHERS, work)).hasMessage("failed");
  }
}
