package io.mooring.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.gpu.GpuRuntime;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MooringPluginTest {
  private static final String SIZE = "spark.mooring.pinnedPool.size";

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"-1", "8gb?"})
  void aBadPoolSizeEndsTheStartWithOneClearMessage(String size) {
    assertThatThrownBy(() -> Sessions.withPlugin(1, Map.of(SIZE, size)).stop())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "'"
                + size
                + "' in "
                + SIZE
                + " is invalid: must be auto, 0 or a size from 1m, such as 8g");
  }

  @Test
  void extensionsAreAddedBesideTheUsersOwn() {
    SparkSession spark =
        Sessions.withPlugin(1, Map.of("spark.sql.extensions", NoExtensions.class.getName()));
    try {
      assertThat(spark.sparkContext().conf().get("spark.sql.extensions"))
          .isEqualTo(MooringExtensions.class.getName() + "," + NoExtensions.class.getName());
    } finally {
      spark.stop();
    }
  }

  @Test
  void aSecondContextInTheProcessFindsTheSameRuntime() {
    String path = folder.resolve("table").toString();
    SparkSession first = Sessions.withPlugin(1, Map.of());
    first.range(100).write().parquet(path);
    GpuRuntime runtime = GpuRuntime.current().orElseThrow();
    first.stop();
    SparkSession second = Sessions.withPlugin(1, Map.of());
    try {
      assertThat(GpuRuntime.current()).containsSame(runtime);
      assertThat(second.read().format("mooring").load(path).count()).isEqualTo(100);
    } finally {
      second.stop();
    }
  }

  @Test
  void aSecondContextMayFollowOneWithMooringSwitchedOff() {
    Sessions.withPlugin(1, Map.of("spark.mooring.enabled", "false")).stop();
    SparkSession spark = Sessions.withPlugin(1, Map.of());
    try {
      assertThat(GpuRuntime.current().orElseThrow().reason())
          .isNotEqualTo("spark.mooring.enabled is false");
    } finally {
      spark.stop();
    }
  }

  @Test
  void sqlOnAPathGoesThroughTheTableUnlessTurnedOff() {
    String path = folder.resolve("sql").toString();
    SparkSession spark = Sessions.withPlugin(1, Map.of());
    try {
      spark.range(100).write().parquet(path);
      String query = "select sum(id) from mooring.`" + path + "`";
      assertThat(spark.sql(query).queryExecution().executedPlan().toString())
          .contains("MooringScan");
      spark.conf().set("spark.mooring.sql.enabled", "false");
      assertThat(spark.sql(query).queryExecution().executedPlan().toString())
          .doesNotContain("MooringScan");
      assertThat(spark.sql(query).first().getLong(0)).isEqualTo(4950);
    } finally {
      spark.stop();
    }
  }

  /** The user's extensions of a session. */
  public static final class NoExtensions
      extends scala.runtime.AbstractFunction1<
          org.apache.spark.sql.SparkSessionExtensions, scala.runtime.BoxedUnit> {
    @Override
    public scala.runtime.BoxedUnit apply(org.apache.spark.sql.SparkSessionExtensions extensions) {
      return scala.runtime.BoxedUnit.UNIT;
    }
  }
}
