package io.mooring.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.stage.replicated.ReplicatedTables;
import io.mooring.testing.Matrix;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Results that depend on the order of rows, in several places of a query. */
@Tag("extended")
class RepeatedOperatorsTest {
  private static final String ADAPTIVE = "spark.sql.adaptive.enabled";

  /** Orders by customer and day. */
  private static final String GROUPS =
      "with g as (select o_custkey k, o_date d, count(*) n from orders group by 1, 2) ";

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark =
        ReplicatedTables.session(
            folder, Map.of("spark.mooring.sql.singleTaskAggregates", "always"));
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  /** Spark numbers the rows once and shares them, so that equal rows have the same numbers. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "row_number() over (order by n) | where r > 1 | 0",
        "row_number() over (order by n, k, d) | where r > 1 | 0",
        "rank() over (order by n) | where r > 1 | 2",
        "1 | where k > 0 and d is not null limit 5 | 0"
      })
  void chosenRows_ofTwoPlaces_areChosenOnce(String function, String choice, int chosenByStages) {
    String query =
        GROUPS
            + ", a as (select * from (select k, d, n, %s r from g) %s) select count(*) from a x join a y on"
                .formatted(function, choice)
            + " x.k = y.k and x.d = y.d and x.r = y.r";
    Sessions.with(
        spark,
        Map.of(ADAPTIVE, "false", "spark.sql.autoBroadcastJoinThreshold", "-1"),
        () -> {
          WithAndWithout both = WithAndWithout.run(spark, query).assertOurs();
          assertThat(Stages.finalOf(both.ours()))
              .as(Stages.plan(both.ours()))
              .hasSize(chosenByStages);
        });
  }

  /** The same where one of the places is a scalar sub-query. */
  @Tag("matrix")
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "row_number() over (order by n) | where r = 2 | 0",
        "row_number() over (order by n) | where k > 0 limit 1 | 0",
        "rank() over (order by n, k, d) | where r = 1 | 2"
      })
  void chosenRows_ofASubquery_areChosenOnce(String function, String choice, int chosenByStages) {
    String query =
        GROUPS
            + ", a as (select * from (select k, d, n, %s r from g) %s) select count(*) from a where k = (select"
                .formatted(function, choice)
            + " max(k) from a)";
    Matrix.withAdaptiveOrWithout(
        spark,
        query,
        () -> {
          WithAndWithout both = WithAndWithout.run(spark, query).assertOurs();
          assertThat(Stages.finalOf(both.ours()))
              .as(Stages.plan(both.ours()))
              .hasSize(chosenByStages);
        });
  }

  /**
   * Two sums of doubles in another order differ, so that all places get the groups of one exchange.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select k from r where s = (select max(s) from r)",
        "select k from r where s >= (select max(s) from r) and n > (select 0)",
        "select count(*) from r x join r y on x.k = y.k and x.s = y.s",
        "select count(*) from r x join r y on x.k = y.k + 0 and x.s = y.s",
        "select count(*) from r where s in (select s from r where n > 1)",
        "select count(*) from r x join (select k, max(s) s, max(n) n from r group by k) y on x.s = y.s",
        "select count(*) from r where not exists (select 1 from r o where o.s = r.s)",
        "select count(*) from r x where x.n > 3 and (x.s = (select max(s) from r) or (select min(s) from r) = x.s)",
        "select k from (select * from r union all select k + 1, s, n from r) where s = (select max(s) from r)"
      })
  void sumsOfDoubles_thatAreCompared_areOfOneExchange(String query) {
    Matrix.withAdaptiveOrWithout(
        spark,
        query,
        () -> {
          WithAndWithout both =
              WithAndWithout.run(
                  spark,
                  "with r as (select l_suppkey k, sum(double(l_price) / 3) s, count(*) n from lineitem group by"
                      + " 1) "
                      + query);
          assertThat(Stages.finalOf(both.ours()))
              .noneMatch(stage -> stage.toString().contains("sum("));
          assertThat(both.ours().collectAsList()).isNotEmpty();
        });
  }

  /** Spark computes the groups twice if one place needs a function more, both times alike. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select count(*) from r where s in (select s from r where n > 1) | false",
        "select count(*) from r where s in (select s from r) | true"
      })
  void sumsOfDoubles_thatAreComputedTwice_areSparks(String query, boolean byStages) {
    WithAndWithout both =
        WithAndWithout.run(
            spark,
            "with r as (select l_suppkey k, sum(double(l_price) / 3) s, count(*) n from lineitem group by 1) "
                + query);
    assertThat(Stages.of(both.ours()).toString().contains("partial_sum("))
        .as(Stages.plan(both.ours()))
        .isEqualTo(byStages);
  }

  /**
   * Spark reads fewer columns where a place needs fewer, and tests keys before it groups rows, so
   * that the plans of the two places differ more than by functions.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select k, m from r where s = (select max(s) from r) | false",
        "select k from r where k > 2 and s >= (select max(s) from r) | false",
        "select x.k, y.m from r x join r y on x.s = y.s where x.k > 3 | false",
        "select x.k, y.m from r x join r y on x.s = y.s where x.k = 3 | false",
        "select x.k, y.m from r x join r y on x.s = y.s where x.k = 3 and y.k = 4 | true",
        "select k, m from u where s = (select max(s) from u) | false",
        "select k, m from u where k > 3 and s = (select max(s) from u) | false",
        "select k, c from j where s = (select max(s) from j) | false",
        "select k, m from j where k < 20 and s = (select max(s) from j) | false",
        "select k, m from n where s = (select max(s) from n where k > 1) | false",
        "select k, m from r where s = (select max(s) from o) | true"
      })
  void sumsOfDoubles_ofOtherColumnsAndKeys_areSparks(String query, boolean byStages) {
    String functions = "sum(v) s, max(w) m from ";
    WithAndWithout both =
        WithAndWithout.run(
            spark,
            "with l as (select l_suppkey g, double(l_price) / 3 v, l_partkey w, l_orderkey from lineitem),"
                + " r as (select g k, %s l group by g),".formatted(functions)
                + " o as (select g k, %s l where w > 9 group by g),".formatted(functions)
                + " u as (select g k, %s (select g, v, w from l union all select g + 1, v, w from l) group by g),"
                    .formatted(functions)
                + " j as (select c_nationkey k, max(c_segment) c, %s l join orders on l_orderkey = o_orderkey"
                    .formatted(functions)
                + " join customer on o_custkey = c_custkey group by c_nationkey),"
                + " n as (select k, max(m) m, sum(s / 3) s from r group by k) "
                + query);
    String stages = Stages.of(both.ours()).toString();
    assertThat(stages.contains("partial_sum(")).as(Stages.plan(both.ours())).isEqualTo(byStages);
    // A GPU gives the rows of joins in any order.
    assertThat(stages).doesNotContain("[BroadcastHashJoin", ", BroadcastHashJoin");
  }
}
