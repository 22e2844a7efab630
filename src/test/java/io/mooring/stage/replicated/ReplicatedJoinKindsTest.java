package io.mooring.stage.replicated;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.Matrix;
import io.mooring.testing.Plans;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every kind of join without an exchange gives the rows of Spark's joins with two. */
@Tag("extended")
class ReplicatedJoinKindsTest {
  private static final String ADAPTIVE = "spark.sql.adaptive.enabled";
  private static final String CODEGEN = "spark.sql.codegen.wholeStage";

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    Map<String, String> settings = ReplicatedTables.SETTINGS;
    spark = Sessions.transparent(folder.resolve("warehouse"), settings);
    ReplicatedTables.create(spark, folder);
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  static List<String> queries() {
    return List.of(
        // Keys of one long, with nulls and duplicates on both sides.
        "select * from orders join lineitem on o_orderkey = l_orderkey",
        "select * from orders join lineitem on o_orderkey = l_orderkey and o_date < l_ship",
        "select * from customer left join orders on c_custkey = o_custkey",
        "select * from orders left join customer on c_custkey = o_custkey and c_balance > 500",
        "select * from orders right join lineitem on o_orderkey = l_orderkey and o_date < l_ship",
        "select * from orders where o_custkey in (select c_custkey from customer)",
        "select * from customer where exists (select 1 from orders where o_custkey = c_custkey"
            + " and c_balance > o_orderkey)",
        "select * from customer where not exists (select 1 from orders where o_custkey = c_custkey)",
        "select * from orders left anti join customer on c_custkey = o_custkey and c_balance > 300",
        "select * from customer where c_balance > 900 or exists (select 1 from orders where"
            + " o_custkey = c_custkey and o_priority = 'priority 2')",
        // Keys that are packed into one long, and such that are not.
        "select * from supplier join customer on s_nationkey = c_nationkey",
        "select * from supplier join part on s_suppkey = p_partkey and s_nationkey = p_partkey % 25",
        "select * from nation join region on concat('nation ', r_regionkey) = n_name",
        "select * from nation left join region on concat('nation ', r_regionkey) = n_name"
            + " and r_regionkey = n_regionkey",
        "select count(*) from orders a join orders b on a.o_date = b.o_date and a.o_custkey = b.o_custkey",
        "select * from customer join nation on c_balance = cast(n_nationkey * 37 as decimal(12,2))",
        // A side without rows.
        "select * from lineitem join nothing on o_orderkey = l_orderkey",
        "select * from lineitem left join nothing on o_orderkey = l_orderkey",
        "select * from lineitem where l_orderkey in (select o_orderkey from nothing)",
        "select * from lineitem where not exists (select 1 from nothing where o_orderkey = l_orderkey)",
        "select * from lineitem left join (select * from orders where o_orderkey < 0)"
            + " on o_orderkey = l_orderkey",
        "select * from nothing n left join orders o on n.o_orderkey = o.o_orderkey",
        // A build side in a build side, and several above each other.
        "select * from lineitem join (select * from orders join customer on o_custkey = c_custkey"
            + " where c_segment = 'segment 2') on l_orderkey = o_orderkey",
        "select l_price, s_suppkey, p_type from lineitem left join supplier on l_suppkey = s_suppkey"
            + " join part on l_partkey = p_partkey left semi join orders on l_orderkey = o_orderkey",
        // A build side of groups, of all, and of distinct keys.
        "select * from lineitem join (select o_orderkey k, max(o_date) m, count(distinct o_priority) d"
            + " from orders group by o_orderkey having count(*) < 5) on l_orderkey = k and l_ship > m",
        "select * from lineitem left join (select max(o_orderkey) k, sum(o_custkey) from orders)"
            + " on l_orderkey = k",
        "select * from lineitem where l_orderkey in (select distinct o_orderkey % 500 from orders)",
        // A streamed side with exchanges of its own.
        "select * from (select l_orderkey k, sum(l_price) p from lineitem group by l_orderkey)"
            + " join orders on k = o_orderkey",
        "select * from (select l_orderkey k, row_number() over (partition by l_orderkey order by"
            + " l_price, l_partkey) n from lineitem) left join orders on k = o_orderkey where n < 3");
  }

  @Tag("matrix")
  @ParameterizedTest
  @MethodSource("queries")
  void rowsAreSparks(String query) {
    for (List<String> settings : Matrix.bothOfTwo(query)) {
      String adaptive = settings.get(0);
      Sessions.with(
          spark,
          Map.of(ADAPTIVE, adaptive, CODEGEN, settings.get(1)),
          () -> {
            WithAndWithout both = WithAndWithout.run(spark, query);
            String plan = both.ours().queryExecution().executedPlan().toString();
            assertThat(plan.contains("AdaptiveSparkPlan")).isEqualTo(adaptive.equals("true"));
            // Adaptive execution may find that nothing is left to join.
            if (!query.contains("nothing") || adaptive.equals("false")) {
              assertThat(ReplicatedTables.replicated(both.ours())).as(plan).isNotEmpty();
            }
            assertThat(Plans.count(both.ours(), "SortMergeJoin")).as(plan).isZero();
          });
    }
  }

  static Stream<String> nullAwareQueries() {
    return Stream.of(
        "select * from customer where c_custkey not in (select o_custkey from orders)",
        "select * from orders full outer join customer on o_custkey = c_custkey",
        "select * from nation join region on n_regionkey > r_regionkey");
  }

  @ParameterizedTest
  @MethodSource("nullAwareQueries")
  void othersAreLeftToSpark(String query) {
    WithAndWithout both = WithAndWithout.run(spark, query);
    assertThat(ReplicatedTables.replicated(both.ours())).isEmpty();
  }

  @Test
  void codeOfWholeStagesJoins() {
    Sessions.with(
        spark,
        Map.of(
            ADAPTIVE,
            "false",
            "spark.mooring.sql.stages",
            "never",
            "spark.sql.codegen.wholeStage",
            "true",
            "spark.sql.codegen.factoryMode",
            "FALLBACK"),
        () -> {
          Dataset<Row> data =
              spark.sql("select count(*) from orders join customer on o_custkey = c_custkey");
          String plan = data.queryExecution().executedPlan().toString();
          assertThat(plan).containsPattern("\\*\\(\\d+\\) BroadcastHashJoin");
        });
  }

  @Test
  void cachedPlansJoinWhenTheyAreRead() {
    Dataset<Row> cached =
        spark.sql("select * from orders join customer on o_custkey = c_custkey").cache();
    List<String> rows = ScanResults.rows(cached);
    assertThat(ScanResults.rows(cached.filter("o_orderkey >= 0"))).isEqualTo(rows);
    cached.unpersist();
    Sessions.with(
        spark,
        "spark.mooring.sql.enabled",
        "false",
        () ->
            assertThat(
                    ScanResults.rows(
                        spark.sql("select * from orders join customer on o_custkey = c_custkey")))
                .isEqualTo(rows));
  }

  @Test
  void rowsOfAnRddAreJoinedAfterItsQuery() {
    Dataset<Row> data = spark.sql("select * from orders join customer on o_custkey = c_custkey");
    long rows = data.count();
    assertThat(data.toJavaRDD().count()).isEqualTo(rows);
    assertThat(data.toJavaRDD().take(3)).hasSize(3);
    assertThat(data.collectAsList())
        .hasSize((int) rows)
        .containsExactlyInAnyOrderElementsOf(data.collectAsList());
  }

  @Test
  void equalBuildSidesOfAQueryAreOne() {
    Dataset<Row> data =
        spark.sql(
            "select l_price, a.p_type, b.p_type from lineitem join part a on l_partkey = a.p_partkey"
                + " join part b on l_suppkey = b.p_partkey");
    data.collect();
    List<ReplicatedExec> replicated = ReplicatedTables.replicated(data);
    assertThat(replicated).hasSize(2);
    assertThat(replicated.get(0).executeBroadcast().id())
        .isEqualTo(replicated.get(1).executeBroadcast().id());
    assertThat(replicated.stream().mapToLong(node -> node.metrics().apply("builds").value()).sum())
        .isEqualTo(1);
  }

  @Test
  void metricsAndNamesTellWhatWasRead() {
    Dataset<Row> data = spark.sql("select * from orders join customer on o_custkey = c_custkey");
    data.collect();
    ReplicatedExec node = ReplicatedTables.replicated(data).get(0);
    assertThat(node.metrics().apply("buildRows").value()).isEqualTo(300);
    assertThat(node.metrics().apply("dataSize").value()).isPositive();
    assertThat(node.simpleString(100))
        .contains("Replicated [c_custkey", "reads the build side on every executor, estimated ")
        .contains(" rows");
  }
}
