package io.mooring.spark.plan.joins;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.stage.replicated.BuildSize;
import io.mooring.stage.replicated.ReplicatedExec;
import io.mooring.stage.replicated.ReplicatedTables;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which joins have no exchange, and which side every executor reads. */
class ReplicatedChoiceTest {
  private static final String MODE = "spark.mooring.sql.replicatedJoins";
  private static final String MOST = "spark.mooring.sql.replicatedJoins.maxBuildSize";
  private static final String JOIN =
      "select * from orders join lineitem on o_orderkey = l_orderkey";

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = ReplicatedTables.session(folder);
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  private static List<ReplicatedExec> replicated(String query) {
    return ReplicatedTables.replicated(spark.sql(query));
  }

  private static void with(Map<String, String> settings, Runnable work) {
    Sessions.with(spark, settings, work);
  }

  @Test
  void theSmallerSideIsReadByAll() {
    assertThat(replicated(JOIN).get(0).child().output().mkString()).contains("o_orderkey");
    String other = "select * from lineitem join orders on o_orderkey = l_orderkey";
    assertThat(replicated(other).get(0).child().output().mkString()).contains("o_orderkey");
  }

  /** Streamed, they would need an exchange. */
  @Test
  void groupsAreReadByAllAlsoWhereTheyAreLarger() {
    String groups = "(select l_orderkey, sum(l_price) s from lineitem group by l_orderkey)";
    assertThat(replicated("select * from region join " + groups + " on r_regionkey = l_orderkey"))
        .singleElement()
        .satisfies(it -> assertThat(it.child().output().mkString()).contains("l_orderkey"));
  }

  @Test
  void thereAreNoneUnlessTheyAreTurnedOn() {
    with(Map.of(MODE, "never"), () -> assertThat(replicated(JOIN)).isEmpty());
    with(
        Map.of("spark.mooring.sql.enabled", "false"), () -> assertThat(replicated(JOIN)).isEmpty());
  }

  @Test
  void autoAsksForAGpu() {
    boolean gpu = RequiresGpu.Condition.gpuIsThere();
    with(Map.of(MODE, "auto"), () -> assertThat(replicated(JOIN)).hasSize(gpu ? 1 : 0));
  }

  @Test
  void buildSidesOfAStageFitTogether() {
    String two =
        "select l_price, p_type, s_nationkey from lineitem join part on l_partkey = p_partkey"
            + " join supplier on l_suppkey = s_suppkey";
    long part = estimate(replicated("select * from lineitem join part on l_partkey = p_partkey"));
    assertThat(replicated(two)).hasSize(2);
    with(Map.of(MOST, String.valueOf(part + 1)), () -> assertThat(replicated(two)).hasSize(1));
    with(Map.of(MOST, "10"), () -> assertThat(replicated(two)).isEmpty());
    with(Map.of(MOST, String.valueOf(part + 1)), () -> WithAndWithout.run(spark, two).assertOurs());
  }

  /** Joins share the table of equal build sides. */
  @Test
  void equalBuildSidesOfAStageTakeRoomOnce() {
    String keys = "(select o_custkey from orders where o_orderkey > 5)";
    String one = "select l_price from lineitem where l_partkey in " + keys;
    String both = one + " and l_suppkey in " + keys;
    long bytes = estimate(replicated(one));
    with(
        Map.of(MOST, String.valueOf(bytes + 1)),
        () -> {
          assertThat(replicated(both)).hasSize(2);
          assertThat(replicated(both.replace("> 5) and", "> 6) and"))).hasSize(1);
          WithAndWithout.run(spark, both).assertOurs();
        });
  }

  private static long estimate(List<ReplicatedExec> nodes) {
    return ((BuildSize) nodes.get(0).productElement(2)).bytes();
  }

  @ParameterizedTest
  @ValueSource(strings = {"merge(o)", "shuffle_hash(o)", "broadcast(o)", "shuffle_replicate_nl(o)"})
  void hintsHaveTheirSay(String hint) {
    String query =
        "select /*+ " + hint + " */ * from orders o join lineitem on o_orderkey = l_orderkey";
    assertThat(replicated(query)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select * from lineitem join (select * from orders where rand(3) < 0.5) on o_orderkey ="
            + " l_orderkey",
        "select * from (select *, monotonically_increasing_id() from lineitem) join orders on"
            + " o_orderkey = l_orderkey",
        "select * from (select *, input_file_name() from lineitem) join orders on o_orderkey ="
            + " l_orderkey",
        "select * from lineitem left join (select * from orders limit 5) on o_orderkey ="
            + " l_orderkey",
        "select * from lineitem left join (select o_orderkey k, sum(double(o_custkey)) s from"
            + " orders group by o_orderkey) on l_orderkey = k",
        "select * from lineitem left join (select o_orderkey k, avg(o_custkey) from orders group by"
            + " o_orderkey) on l_orderkey = k",
        "select * from lineitem left join (select o_orderkey k, first(o_date) from orders group by"
            + " o_orderkey) on l_orderkey = k",
        "select * from lineitem left join (select max(o_orderkey) k,"
            + " sort_array(collect_list(o_date)) from orders) on l_orderkey = k",
        "select * from range(5000) a join range(100) b on a.id = b.id",
        "select * from lineitem full outer join orders on o_orderkey = l_orderkey"
      })
  void whatExecutorsCannotEachReadAlikeHasItsExchange(String query) {
    assertThat(replicated(query)).isEmpty();
  }

  /** It fails for some rows of the same key, and Spark ends at the first that matches. */
  @Test
  void conditionThatMayFail_keepsTheExchange() {
    String query =
        "select * from lineitem where exists (select 1 from orders where o_orderkey = l_orderkey and"
            + " l_partkey div int(substring(o_priority, 10)) > 1)";
    with(Map.of("spark.sql.ansi.enabled", "true"), () -> assertThat(replicated(query)).isEmpty());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "o_date < l_ship",
        "o_custkey <=> l_partkey",
        "try_divide(l_partkey, l_suppkey) > o_custkey"
      })
  void conditionsThatCannotFailNeedNoExchange(String condition) {
    for (String ansi : List.of("true", "false")) {
      with(
          Map.of("spark.sql.ansi.enabled", ansi),
          () ->
              assertThat(
                      replicated(
                          "select * from lineitem where not exists (select 1 from orders where"
                              + " o_orderkey = l_orderkey and "
                              + condition
                              + ")"))
                  .as(ansi)
                  .hasSize(1));
    }
  }

  @Test
  void aSideThatIsCachedIsNotFiles() {
    spark.catalog().cacheTable("orders");
    try {
      // The other side is not the smaller one, but of files.
      with(Map.of(MOST, "1g"), () -> assertThat(smaller(JOIN)).contains("l_orderkey"));
      with(
          Map.of(MOST, "1g"),
          () ->
              assertThat(replicated(JOIN.replace(" join ", " left join ").replace("*", "o_date")))
                  .hasSize(1));
      assertThat(replicated("select * from lineitem left join orders on o_orderkey = l_orderkey"))
          .isEmpty();
    } finally {
      spark.catalog().uncacheTable("orders");
    }
  }

  /** One executor may find a file that another does not. */
  @Test
  void filesThatMayBeLeftOutAreReadOnce() {
    for (String what : List.of("Missing", "Corrupt")) {
      with(
          Map.of("spark.sql.files.ignore" + what + "Files", "true"),
          () -> assertThat(replicated(JOIN)).isEmpty());
    }
  }

  private static String smaller(String query) {
    return replicated(query).get(0).child().output().mkString();
  }

  /** With a hundred executors the files would be read a hundred times. */
  @Test
  void readingOnEveryExecutorMustCostLess() {
    Join join =
        (Join)
            spark
                .sql(JOIN)
                .queryExecution()
                .optimizedPlan()
                .find(
                    new scala.runtime.AbstractFunction1<>() {
                      @Override
                      public Object apply(LogicalPlan plan) {
                        return plan instanceof Join;
                      }
                    })
                .get();
    LogicalPlan left = join.left();
    assertThat(new JoinCostEstimate(() -> 1).readsForLessThanShuffle(left, join)).isTrue();
    assertThat(new JoinCostEstimate(() -> 2).readsForLessThanShuffle(left, join)).isTrue();
    assertThat(new JoinCostEstimate(() -> 1000).readsForLessThanShuffle(left, join)).isFalse();
    assertThat(new JoinCostEstimate(() -> 1000).whyShuffled(left, join))
        .matches(
            "to read [\\d.]+ KiB of files on 1000 executors takes longer than to exchange [\\d.]+ KiB");
    // A broadcast goes to all of them as well.
    assertThat(new JoinCostEstimate(() -> 1000).readsForLessThanBroadcast(left)).isTrue();
  }
}
