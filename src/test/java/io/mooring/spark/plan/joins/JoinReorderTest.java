package io.mooring.spark.plan.joins;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.catalyst.ScalaLists;
import io.mooring.spark.plan.DeviceBudget;
import io.mooring.stage.replicated.ReplicatedTables;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The order of joins that need no exchange; rows are Spark's in any order. */
@Tag("extended")
class JoinReorderTest {
  private static final String SELECTIVE =
      "select l_price, o_date, p_type, c_balance from lineitem join orders on l_orderkey ="
          + " o_orderkey join part on l_partkey = p_partkey join customer on o_custkey = c_custkey"
          + " where p_type like 'PROMO%' and c_segment = 'segment 1'";
  private static final String AS_WRITTEN = "(((l_price o_date) p_type) c_balance)";

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

  /** The joins of a query in parentheses, each relation by a column of the results. */
  private static String order(String query) {
    return order(spark.sql(query).queryExecution().optimizedPlan());
  }

  private static String order(LogicalPlan plan) {
    List<LogicalPlan> children = ScalaLists.list(plan.children());
    if (plan instanceof Join) {
      return "(" + order(children.get(0)) + " " + order(children.get(1)) + ")";
    } else if (!children.isEmpty()) {
      return order(children.get(0));
    }
    return List.of("l_price", "o_date", "p_type", "c_balance", "n_name").stream()
        .filter(it -> plan.output().exists(column -> column.name().equals(it)))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void aFilteredRelationIsJoinedWithTheOneItBelongsTo(String adaptive) {
    assertThat(order(SELECTIVE)).isEqualTo("((l_price p_type) (o_date c_balance))");
    Sessions.with(
        spark,
        Map.of("spark.sql.adaptive.enabled", adaptive),
        () -> WithAndWithout.run(spark, SELECTIVE).assertOurs());
  }

  @Test
  void conditionsOfSeveralRelationsStayWithTheLastOfThem() {
    String query = SELECTIVE + " and o_date < date_add(l_ship, 5) and c_nationkey >= p_partkey";
    assertThat(order(query)).isEqualTo("((l_price p_type) (o_date c_balance))");
    WithAndWithout.run(spark, query).assertOurs();
  }

  /** The nation belongs to the customer, which has been joined with the order. */
  @Test
  void aRelationFollowsTheOneThatItBelongsTo() {
    String query =
        SELECTIVE.replace(" where", " join nation on c_nationkey = n_nationkey where")
            + " and n_name > 'nation 1'";
    assertThat(order(query.replace("c_balance from", "c_balance, n_name from")))
        .isEqualTo("((l_price p_type) ((o_date c_balance) n_name))");
    WithAndWithout.run(spark, query).assertOurs();
  }

  /** A condition that compares columns is as selective as a filter. */
  @Test
  void aConditionBesideTheKeysCountsAsAFilter() {
    String query =
        SELECTIVE.replace(" and c_segment = 'segment 1'", " and date_add(o_date, 5) < c_since");
    String since =
        query.replace(
            "customer on",
            "(select *, date_add(date'1995-06-01', c_nationkey) c_since from customer) on");
    assertThat(order(since)).isEqualTo("((l_price p_type) (o_date c_balance))");
    WithAndWithout.run(spark, since).assertOurs();
  }

  private static final Map<String, String> PRUNING_BY_SUBQUERIES =
      Map.of(
          "spark.sql.optimizer.dynamicPartitionPruning.reuseBroadcastOnly", "false",
          "spark.sql.optimizer.dynamicPartitionPruning.fallbackFilterRatio", "10");

  /** Orders in partitions. */
  private static void parted(String table, String partition) {
    String path = folder.resolve(table).toString();
    spark
        .table("orders")
        .where("o_custkey is not null")
        .selectExpr("*", partition)
        .write()
        .mode("overwrite")
        .partitionBy("c")
        .parquet(path);
    spark.read().parquet(path).createOrReplaceTempView(table);
  }

  /** Spark prunes the partitions of an order by the customer that it is joined with. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void partitionsArePrunedInAnyOrder(String adaptive) {
    parted("parted", "o_custkey % 9 c");
    String query =
        SELECTIVE
            .replace("join orders", "join parted")
            .replace("o_custkey = c_custkey", "c = c_custkey");
    assertThat(order(query)).isEqualTo("((l_price p_type) (o_date c_balance))");
    Sessions.with(
        spark,
        Map.of("spark.sql.adaptive.enabled", adaptive),
        () -> Sessions.with(spark, PRUNING_BY_SUBQUERIES, () -> WithAndWithout.run(spark, query)));
  }

  /**
   * The customers prune the orders in the sub-query in which their join prunes the other orders.
   * Spark executes that only if the pruning is right above a scan.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "(select c, max(o_date) o_date from parted group by c) v on r.c = v.c"
            + " join customer on v.c = c_custkey",
        "(select o.c, o_date from parted o left join nation on o_custkey = n_nationkey) v"
            + " on r.c = v.c join customer on v.c = c_custkey",
        "parted v on r.c = v.c and r.o_orderkey = v.o_orderkey"
            + " join customer on v.o_custkey = c_custkey"
            + " join part on v.c = p_partkey and p_type like 'PROMO%'",
        "parted v on r.c = v.c and r.o_orderkey = v.o_orderkey"
            + " join customer on v.c = c_custkey and c_balance > 50",
      })
  void partitionsArePrunedInSubqueriesThatPrune(String joins) {
    parted("parted", "o_custkey % 9 c");
    parted("reparted", "int(o_orderkey % 7) c");
    String query =
        "select count(*), max(v.o_date) from (select * from reparted where o_orderkey < 99) r join "
            + joins
            + " and c_segment = 'segment 1'";
    Sessions.with(spark, PRUNING_BY_SUBQUERIES, () -> WithAndWithout.run(spark, query));
  }

  @Test
  void joinsBelowOtherOperatorsAreReorderedToo() {
    String query =
        "select p_type, sum(l_price), max(n_name) from ("
            + SELECTIVE.replace("c_balance from", "c_balance, c_nationkey from")
            + ") left join nation on c_nationkey = n_nationkey group by p_type";
    assertThat(order(query)).isEqualTo("(((l_price p_type) (o_date c_balance)) n_name)");
    WithAndWithout.run(spark, query).assertOurs();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // No filter.
        "and c_segment = 'segment 1' | ",
        "and c_segment = 'segment 1' | and c_segment is not null",
        // Division by zero would fail for rows that no order has.
        "and c_segment = 'segment 1' | and c_segment = 'segment 1' and l_price / c_balance > 1",
        // So would a date of the far future, of which there is no timestamp.
        "and c_segment = 'segment 1' | and c_segment = 'segment 1' and timestamp(o_date) <"
            + " timestamp(l_ship)",
      })
  void otherRelationsStayWhereTheQueryHasThem(String part, String other) {
    String query = SELECTIVE.replace(part, other == null ? "" : other);
    assertThat(order(query)).endsWith(" c_balance)").doesNotContain("(o_date c_balance)");
  }

  @Test
  void otherJoinsStayWhereTheQueryHasThem() {
    String outer = SELECTIVE.replace("join customer", "left join customer");
    assertThat(order(outer.replace("and c_segment = 'segment 1'", ""))).endsWith(" c_balance)");
    String hinted = SELECTIVE.replace("select ", "select /*+ merge(customer) */ ");
    assertThat(order(hinted)).endsWith(" c_balance)");
  }

  @ParameterizedTest
  @CsvSource({
    "spark.mooring.sql.enabled, false",
    "spark.mooring.sql.replicatedJoins, never",
    // Some join keeps its exchange.
    "spark.mooring.sql.replicatedJoins.maxBuildSize, 1k",
  })
  void withoutSuchJoinsTheOrderIsSparks(String key, String value) {
    Sessions.with(
        spark, Map.of(key, value), () -> assertThat(order(SELECTIVE)).isEqualTo(AS_WRITTEN));
  }

  /** Spark's own reordering has statistics. */
  @Test
  void statisticsDecideWhereSparkUsesThem() {
    Map<String, String> byStatistics =
        Map.of("spark.sql.cbo.enabled", "true", "spark.sql.cbo.joinReorder.enabled", "true");
    Sessions.with(spark, byStatistics, () -> assertThat(order(SELECTIVE)).isEqualTo(AS_WRITTEN));
  }

  /** Small tables are joined in less time than a further build side takes. */
  @Test
  void whereCostsCountOnlyLargeRelationsAreJoinedFirst() {
    Sessions.with(
        spark,
        Map.of("spark.mooring.sql.replicatedJoins", "never"),
        () -> {
          LogicalPlan plan = spark.sql(SELECTIVE).queryExecution().optimizedPlan();
          InnerJoins joins = InnerJoins.of(plan.children().head());
          assertThat(joins).isNotNull();
          assertThat(new SelectiveJoins(joins, settings(false)).moved()).isNotNull();
          assertThat(new SelectiveJoins(joins, settings(true)).moved()).isNull();
        });
  }

  private static ReplicatedJoinConf settings(boolean weighsCosts) {
    return new ReplicatedJoinConf(
        true, weighsCosts, true, () -> true, new DeviceBudget(1L << 30), () -> 1);
  }
}
