package io.mooring.spark.plan.aggregates;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.spark.plan.SingleTaskConf;
import io.mooring.spark.plan.explain.ExchangeReason;
import io.mooring.spark.plan.stages.StageRule;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.exchange.EnsureRequirements;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Option;

/** Stages say why the groups that they make go through an exchange. */
class AggregateExchangeReasonTest {
  private static final String TEXT = " exchanges groups: ";

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = Sessions.transparent(folder.resolve("warehouse"), Map.of());
    spark
        .range(0, 200_000, 1, 2)
        .selectExpr("id", "id % 7 k", "double(id) d", "concat('s', id) s")
        .write()
        .parquet(folder.resolve("sales").toString());
    spark.read().parquet(folder.resolve("sales").toString()).createOrReplaceTempView("sales");
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "with r as (select k, sum(d) s from sales group by k) select k from r where s = (select max(s) from r)"
            + " | sum of DOUBLE may differ when it is computed again",
        "with r as (select d, count(*) n from sales group by d) select d from r where n = (select max(n) from r)"
            + " | a key of type DOUBLE may differ when it is computed again",
        "with r as (select k, stddev(id) s from sales group by k) select k from r where s = (select max(s) from r)"
            + " | stddev of DOUBLE may differ when it is computed again",
        "select s, max(concat(s, 'a')) from sales group by s |",
        "select k, m from (select k, max(initcap(s)) m from sales group by k) |",
        "select a.k from (select k, count(*) n from sales group by k) a join (select /*+ merge(b) */"
            + " id from sales b) b on a.k = b.id"
            + " | an operator above uses the partitions of the exchange",
      })
  void reasonThatNoSettingChanges(String query, String reason) {
    String plan = staged(query, 1, Long.MAX_VALUE);
    if (reason == null) {
      assertThat(plan).doesNotContain(TEXT);
    } else {
      assertThat(plan).contains("HashAggregate]" + TEXT + reason + " over BatchScan mooring");
    }
  }

  @Test
  void oneOfManyGpusWouldReadForLonger() {
    String query = "select k, sum(id) from sales where id > 5 group by k";
    assertThat(staged(query, 100_000, Long.MAX_VALUE)).doesNotContain(TEXT);
    Sessions.with(
        spark,
        "spark.sql.sources.fileCompressionFactor",
        "1000",
        () ->
            assertThat(staged(query, 8, Long.MAX_VALUE))
                .containsPattern(
                    TEXT
                        + "to read [0-9.]+ [GM]iB of files on one of 8 executors takes longer"
                        + " than to exchange 0 B"));
  }

  @Test
  void groupsThatFitNoGpuAreExchanged() {
    assertThat(staged("select id, count(*) from sales group by id", 1, 1000))
        .containsPattern(TEXT + "groups of [0-9.]+ [MK]iB, and the GPU has room for 1000 B");
  }

  @Test
  void moreResultsThanOneTaskPassesOnAreExchanged() {
    assertThat(
            staged(
                "select s from sales group by s having initcap(concat(s, string(count(*)))) > 'a'",
                1,
                Long.MAX_VALUE))
        .containsPattern(TEXT + "[0-9,]+ rows of results, and one task passes on 100,000");
  }

  @ParameterizedTest
  @ValueSource(longs = {1000, Long.MAX_VALUE})
  void reasonOfAnEarlierPlanIsRemoved(long room) {
    String query = "select id, count(*) from sales group by id";
    SparkPlan planned = planned(query);
    removal(1, 1000).applied(planned);
    removal(1, room).applied(planned);
    String reason = ExchangeReason.of((Aggregate) planned.logicalLink().get());
    assertThat(reason.isEmpty()).isEqualTo(room == Long.MAX_VALUE);
  }

  private static String staged(String query, int gpus, long room) {
    SparkPlan plan = removal(gpus, room).applied(planned(query));
    return new StageRule(spark).apply(plan).toString();
  }

  private static SparkPlan planned(String query) {
    SparkPlan planned = spark.sql(query).queryExecution().sparkPlan();
    return new EnsureRequirements(true, Option.empty()).apply(planned);
  }

  private static ExchangeRemoval removal(int gpus, long room) {
    return new ExchangeRemoval(new SingleTaskConf(true, true, gpus, room));
  }
}
