package io.mooring.spark.plan.aggregates;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.spark.plan.SingleTaskConf;
import io.mooring.testing.Sessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.exchange.EnsureRequirements;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Option;

/** Which aggregates over a large relation one task computes, by what its files say of the keys. */
class SingleTaskChoiceTest {
  private static final int FILES = 80;

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() throws IOException {
    spark = Sessions.transparent(folder.resolve("warehouse"), Map.of());
    Path visits = folder.resolve("visits");
    spark
        .range(0, 100_000, 1, 1)
        .selectExpr("md5(string(id)) url", "concat('p', id % 5) p", "int(id % 7) i")
        .write()
        .parquet(visits.toString());
    copies(visits);
    spark.read().parquet(visits.toString()).createOrReplaceTempView("visits");
    spark.read().parquet(visits + "/copy-[1-3].parquet").createOrReplaceTempView("few");
  }

  /** More files of the same content, which take no room. */
  private static void copies(Path table) throws IOException {
    try (var files = Files.newDirectoryStream(table, "*.parquet")) {
      Path first = files.iterator().next();
      for (int i = 1; i < FILES; i++) {
        Files.createLink(table.resolve("copy-" + i + ".parquet"), first);
      }
    }
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select url, count(*) n from visits group by url order by n",
        "select url, p, count(*) n from visits group by url, p order by n",
        "select k, count(*) n from (select /*+ broadcast(b) */ a.url k from visits a join values"
            + " ('p1'), ('p2') b(p) on a.p = b.p) group by k order by n"
      })
  void manyTextsBelowASortAreExchanged(String query) {
    assertThat(exchanges(query, 1)).isEqualTo(exchanges(query, 0));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select p, count(*) n from visits group by p order by n",
        "select i, count(*) n from visits group by i order by n",
        "select p, i, count(*) n from visits group by p, i",
        "select substr(url, 1, 2) u, count(*) n from visits group by 1 order by n",
        "select url, count(*) n from visits group by url order by n limit 10",
        "select url, count(*) n from visits group by url having n > 1 order by n",
        "select url, count(*) n from visits group by url limit 10",
        "select n + 1, url from (select url, count(*) n from visits group by url) limit 10 offset 3",
        "select max(n) from (select url, count(*) n from visits group by url limit 10)",
      })
  void fewResultsLeaveOneTask(String query) {
    assertThat(exchanges(query, 1)).isZero();
  }

  /** One task would pass on all of these. */
  @Test
  void aLargeLimitLeavesTheExchange() {
    String query = "select url, count(*) n from visits group by url limit 5000000";
    assertThat(exchanges(query, 1)).isEqualTo(exchanges(query, 0)).isPositive();
  }

  /** How many rows a join finds for each group is unknown. */
  @Test
  void groupsThatAJoinMayMultiplyAreExchanged() {
    String groups = "(select url, count(*) n from few group by url) a";
    String join = "select /*+ broadcast(v) */ url from " + groups;
    String values = " join values (1L, 'a') v(n, x) on a.n = v.n";
    assertThat(exchanges("select * from " + groups, 1)).isZero();
    assertThat(exchanges(join + values, 1)).isEqualTo(1);
    assertThat(exchanges(join + " left" + values + " where url > 'b'", 1)).isEqualTo(1);
    assertThat(exchanges(join + " left semi" + values, 1)).isZero();
    assertThat(exchanges(join + values + " order by url limit 10", 1)).isZero();
  }

  /** Reading on one GPU costs the other seven: only many groups are dearer to exchange. */
  @Test
  void severalGpusAreLeftForManyGroupsAlone() {
    String query = "select %s, count(*) n from visits %s group by 1 order by n limit 10";
    assertThat(exchanges(query.formatted("url", ""), 8)).isZero();
    assertThat(exchanges(query.formatted("p", ""), 8)).isPositive();
    assertThat(exchanges(query.formatted("substr(url, 1, 20)", ""), 8)).isPositive();
    assertThat(exchanges(query.formatted("url", "where i > 5"), 8)).isPositive();
  }

  /**
   * Exchanges of a query's plan, before broadcasts; by the rule for some GPUs, if there are any.
   */
  private static int exchanges(String query, int gpus) {
    SparkPlan planned = spark.sql(query).queryExecution().sparkPlan();
    SparkPlan plan = new EnsureRequirements(true, Option.empty()).apply(planned);
    if (gpus > 0) {
      plan =
          new ExchangeRemoval(new SingleTaskConf(true, true, gpus, Long.MAX_VALUE)).applied(plan);
    }
    return plan.toString().split("Exchange (hash|range)partitioning", -1).length - 1;
  }
}
