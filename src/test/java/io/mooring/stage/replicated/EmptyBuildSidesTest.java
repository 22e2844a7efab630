package io.mooring.stage.replicated;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.Answers;
import io.mooring.testing.Interpreted;
import io.mooring.testing.Plans;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.SparkArithmeticException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Joins with a small relation without rows: adaptive execution, which has broadcast it, computes
 * nothing of the other side, where rows would raise an error.
 */
class EmptyBuildSidesTest {
  private static final String NONE = "(select * from customer where c_segment = 'none')";
  private static final String RAISES = "(select * from lineitem where 100 / l_partkey > 3)";

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    Map<String, String> settings =
        Map.of("spark.sql.autoBroadcastJoinThreshold", "10m", "spark.sql.ansi.enabled", "true");
    spark = ReplicatedTables.session(folder, settings);
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  private static void assertSparks(String query) {
    assertThat(ReplicatedTables.replicated(spark.sql(query))).as(query).isNotEmpty();
    String ours = Answers.of(spark, query);
    String sparks =
        Sessions.with(spark, "spark.mooring.sql.enabled", "false", () -> Answers.of(spark, query));
    assertThat(ours).as(query).isEqualTo(sparks);
  }

  /** Spark's generated code computes the other side; its interpreter does not. */
  private static void withCompiledCodeAlone(Runnable work) {
    Map<String, String> settings = new HashMap<>(Interpreted.COMPILED);
    settings.put("spark.sql.adaptive.enabled", "false");
    Sessions.with(spark, settings, work);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select l_orderkey, c_balance from RAISES join NONE on l_partkey = c_custkey",
        "select count(*) from RAISES join NONE on l_partkey = c_custkey",
        "select l_suppkey, count(*) from RAISES join NONE on l_partkey = c_custkey group by"
            + " l_suppkey",
        "select sum(l_price) from RAISES where l_partkey in (select c_custkey from NONE)",
        "select l_orderkey, 100 / l_partkey x, c_balance from lineitem join NONE on l_partkey ="
            + " c_custkey where 100 / l_partkey > 3",
        "select count(*) from RAISES join supplier on l_suppkey = s_suppkey join (select * from"
            + " nation where n_name = 'none') on s_nationkey = n_nationkey",
        "select count(*) from (select l_suppkey, l_partkey from RAISES union all select s_suppkey,"
            + " s_nationkey from supplier) join NONE on l_partkey = c_custkey"
      })
  void noErrorIsRaisedForRowsThatAdaptiveExecutionLeavesOut(String pattern) {
    String query = pattern.replace("RAISES", RAISES).replace("NONE", NONE);
    assertSparks(query);
    assertThat(Answers.of(spark, query)).doesNotStartWith("error");
    withCompiledCodeAlone(
        () -> {
          assertSparks(query);
          assertThat(Answers.isError(Answers.of(spark, query), SparkArithmeticException.class))
              .isTrue();
        });
  }

  /** Joins that give rows of the other side all the same. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select count(*), count(c_custkey) from RAISES left join NONE on l_partkey = c_custkey",
        "select count(*) from RAISES left anti join NONE on l_partkey = c_custkey"
      })
  void otherJoinsComputeTheOtherSide(String pattern) {
    String query = pattern.replace("RAISES", RAISES).replace("NONE", NONE);
    assertSparks(query);
    assertSparks(query.replace("100 / l_partkey > 3", "l_partkey > 3"));
  }

  /** Neither on the GPU nor where Spark computes the stage. */
  @Test
  void nothingOfTheOtherSideIsRead() {
    Dataset<Row> data =
        spark.sql("select sum(l_price) from lineitem join " + NONE + " on l_partkey = c_custkey");
    assertThat(data.collectAsList()).hasSize(1);
    SparkPlan lineitem =
        Plans.ours(data).stream()
            .filter(scan -> scan.simpleString(1000).contains("lineitem"))
            .findFirst()
            .orElseThrow();
    assertThat(lineitem.metrics().apply("gpuFiles").value()).isZero();
    assertThat(lineitem.metrics().apply("cpuFiles").value()).isZero();
  }
}
