package io.mooring.stage.replicated;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.Matrix;
import io.mooring.testing.Plans;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queries of TPC-H's shapes: rows are Spark's, and joins have no exchange. */
@Tag("extended")
class ReplicatedTpchTest {
  private static final String REVENUE = "sum(l_price * (1 - l_discount)) revenue";

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

  /** Name, build sides, and exchanges, which are of aggregates and sorts alone. */
  @Tag("matrix")
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "q03, 2, 1",
    "q04, 1, 1",
    "q05, 5, 1",
    "q07, 5, 1",
    "q12, 1, 1",
    "q13, 1, 2",
    "q14, 1, 1",
    "q19, 1, 1",
    "q17, 2, 1",
    "q18, 4, 1",
    "q20, 2, 0",
    "q21, 3, 1"
  })
  void joinsHaveNoExchange(String name, int builds, int exchanges) {
    for (String adaptive : Matrix.both(name)) {
      Sessions.with(
          spark,
          "spark.sql.adaptive.enabled",
          adaptive,
          () -> {
            WithAndWithout both = WithAndWithout.run(spark, query(name)).assertOurs();
            String plan = both.ours().queryExecution().executedPlan().toString();
            assertThat(plan.contains("AdaptiveSparkPlan")).isEqualTo(adaptive.equals("true"));
            assertThat(ReplicatedTables.replicated(both.ours())).as(plan).hasSize(builds);
            assertThat(Plans.count(both.ours(), "BroadcastHashJoin")).isEqualTo(builds);
            assertThat(Plans.count(both.ours(), "Exchange")).as(plan).isEqualTo(exchanges);
            assertThat(Plans.count(both.ours(), "BroadcastExchange")).isZero();
            assertThat(Plans.count(both.sparks(), "Exchange")).isGreaterThan(exchanges);
          });
    }
  }

  private static String query(String name) {
    return switch (name) {
      case "q03" ->
          "select l_orderkey, o_date, "
              + REVENUE
              + " from customer, orders, lineitem where c_segment = 'segment 1' and c_custkey = o_custkey"
              + " and l_orderkey = o_orderkey and o_date < date'1996-03-15' and l_ship > date'1995-03-15'"
              + " group by l_orderkey, o_date";
      case "q04" ->
          "select o_priority, count(*) from orders where exists (select 1 from lineitem"
              + " where l_orderkey = o_orderkey and l_ship > o_date) group by o_priority";
      case "q05" ->
          "select n_name, "
              + REVENUE
              + " from customer, orders, lineitem, supplier, nation, region where c_custkey = o_custkey"
              + " and l_orderkey = o_orderkey and l_suppkey = s_suppkey and c_nationkey = s_nationkey"
              + " and s_nationkey = n_nationkey and n_regionkey = r_regionkey and r_name = 'region 2'"
              + " group by n_name";
      case "q07" ->
          "select n1.n_name a, n2.n_name b, year(l_ship) y, "
              + REVENUE
              + " from supplier, lineitem, orders, customer, nation n1, nation n2 where s_suppkey = l_suppkey"
              + " and o_orderkey = l_orderkey and c_custkey = o_custkey and s_nationkey = n1.n_nationkey"
              + " and c_nationkey = n2.n_nationkey and n1.n_regionkey < n2.n_regionkey"
              + " group by n1.n_name, n2.n_name, year(l_ship)";
      case "q12" ->
          "select l_mode, sum(if(o_priority = 'priority 1', 1, 0)) high, count(*) from orders,"
              + " lineitem where o_orderkey = l_orderkey and l_mode in ('mode 1', 'mode 2') group by l_mode";
      case "q13" ->
          "select n, count(*) from (select c_custkey, count(o_orderkey) n from customer"
              + " left join orders on c_custkey = o_custkey and o_priority <> 'priority 3'"
              + " group by c_custkey) group by n";
      case "q14" ->
          "select sum(if(p_type like 'PROMO%', l_price, 0)) / sum(l_price) from lineitem, part"
              + " where l_partkey = p_partkey and l_ship >= date'1995-09-01'";
      case "q17" ->
          "select sum(l_price) / 7 from lineitem, part where p_partkey = l_partkey and p_type"
              + " like 'PROMO%' and l_price < (select 0.7 * avg(l_price) from lineitem i where i.l_partkey"
              + " = p_partkey)";
      case "q18" ->
          "select c_custkey, o_orderkey, o_date, sum(l_price) from customer, orders, lineitem"
              + " where o_orderkey in (select l_orderkey from lineitem group by l_orderkey having"
              + " sum(l_price) > 300) and c_custkey = o_custkey and o_orderkey = l_orderkey"
              + " group by c_custkey, o_orderkey, o_date";
      case "q20" ->
          "select s_suppkey from supplier where s_suppkey in (select p_partkey from part where"
              + " p_type like 'OTHER%' and p_partkey > (select 0.001 * sum(l_price) from lineitem where"
              + " l_partkey = p_partkey))";
      case "q19" ->
          "select "
              + REVENUE
              + " from lineitem, part where p_partkey = l_partkey and ((p_type like 'PROMO%' and l_mode ="
              + " 'mode 1') or (p_type like 'OTHER%' and l_mode = 'mode 4'))";
      case "q21" ->
          "select s_suppkey, count(*) from supplier, lineitem a, orders where s_suppkey ="
              + " a.l_suppkey and o_orderkey = a.l_orderkey and exists (select 1 from lineitem b where"
              + " b.l_orderkey = a.l_orderkey and b.l_suppkey <> a.l_suppkey) group by s_suppkey";
      default -> throw new IllegalArgumentException(name);
    };
  }
}
