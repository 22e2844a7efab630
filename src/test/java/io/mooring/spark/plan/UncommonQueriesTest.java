package io.mooring.spark.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.Interpreted;
import io.mooring.testing.Plans;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans that put something unusual next to a relation. */
@Tag("extended")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UncommonQueriesTest {
  @TempDir static Path folder;
  private SparkSession spark;

  @BeforeAll
  void start() {
    spark =
        Sessions.transparent(
            folder.resolve("warehouse"),
            Interpreted.and(
                Map.of(
                    // Samples depend on how files are cut: as Spark cuts them only when this is
                    // set.
                    "spark.sql.files.maxPartitionBytes", "128m",
                    "spark.sql.optimizer.runtime.bloomFilter.applicationSideScanSizeThreshold", "0",
                    "spark.sql.autoBroadcastJoinThreshold", "-1")));
    spark.sql(
        "create table t using parquet partitioned by (p) as select /*+ coalesce(1) */ id,"
            + " id % 10 as k, cast(id as string) as s, id * 2 as `a.b`, id % 4 as p"
            + " from range(2000)");
    spark.sql("create table u using mooring as select id as k, id * 3 as w from range(5)");
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select count(*) from t where s rlike '^[1-9]$' and 10 / cast(s as int) > 1",
        "select id from t where k > (select min(k) from u) and 10 / k > 1",
        "select id from t where id > 5 and s rlike '^[1-9]$' and p < 3 and 10 / id > 1"
      })
  void aConditionGuardsTheNextOne(String query) {
    Sessions.with(
        spark,
        Map.of("spark.sql.ansi.enabled", "true"),
        () -> WithAndWithout.run(spark, query).assertOurs());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select id, rand(7) as r from t where rand(5) < 0.5 and p = 2",
        "select count(*) from t where p = 1 and rand(3) < 2",
        "select monotonically_increasing_id() as m, id from t where p = 3",
        "select spark_partition_id() as i, count(*) from t group by 1",
        "select k, p, count(*), sum(id) from t group by grouping sets ((k), (p), (k, p), ())",
        "select k, count(distinct s), count(distinct id), max(id) from t group by k",
        "select * from t tablesample (10 percent) repeatable (3)",
        "select `a.b`, s from t where `a.b` > 100 and `a.b` % 3 = 0",
        "select t.id, x.m from t, lateral (select max(w) m from u where u.k = t.k) x where t.p = 0",
        "select id, explode(array(k, p)) as e from t where id < 100",
        "select distinct p from t",
        "select count(*) from t",
        "select count(*) from t where p = 1",
        "select 1 from t where p = 0 limit 3",
        "select * from t where id < 3 or id = k + 1990",
        "select max(p), min(p) from t",
        "select p, id from t where false",
        "select * from t where p in (select k from u where w > 3)",
        "select id from t minus select k from u",
        "select * from (select k, count(*) c from t group by k) pivot (sum(c) for k in (1, 2))",
        "with recursive_free as (select * from t where p = 1) select a.id from recursive_free a"
            + " join recursive_free b on a.id = b.id + 4",
        "select case when exists (select 1 from u where w = 6) then id end as e from t",
        "select k, w, collect_list(id) from t join u using (k) where u.w = 3 group by all"
      })
  void rowsAreSparks(String sql) {
    WithAndWithout.run(spark, sql);
  }

  @Test
  void aBloomFilterOfAJoinIsKept() {
    WithAndWithout both =
        WithAndWithout.run(
            spark, "select sum(t.id) from t join u on t.k = u.k where u.w between 3 and 6");
    assertThat(both.sparks().queryExecution().executedPlan().toString()).contains("might_contain");
    assertThat(both.ours().queryExecution().executedPlan().toString()).contains("might_contain");
    both.assertOurs();
  }

  /**
   * Spark plans null for the columns of a side without rows, and pushes its count as that of all.
   */
  @Test
  void nullsOfAnEmptySideAreNotCounted() {
    WithAndWithout.run(
            spark,
            "select t.p, count(v.name) from t left join (select k, cast(w as string) name from u"
                + " where false) v on t.k = v.k group by t.p")
        .assertSparks("the query counts a constant that is null");
  }

  @Test
  void conditionsInAnotherOrderAreTheSameScan() {
    String one = "select k, max(s) from t where id > 3 and s is not null and k < 9 group by k";
    String other = "select k, max(s) from t where k < 9 and s is not null and id > 3 group by k";
    WithAndWithout both = WithAndWithout.run(spark, one + " union all " + other);
    assertThat(Plans.count(both.sparks(), "ReusedExchange")).isPositive();
    both.assertEqualCounts("ReusedExchange").assertOurs();
  }

  @Test
  void anotherSessionOfTheApplicationIsServedToo() {
    SparkSession other = spark.newSession();
    assertThat(Plans.ours(other.table("t"))).hasSize(1);
    other.conf().set("spark.mooring.sql.enabled", "false");
    assertThat(Plans.ours(other.table("t"))).isEmpty();
    assertThat(Plans.ours(spark.table("t"))).hasSize(1);
  }

  @Test
  void aTableOfFormatMooringIsReadWhateverTheFormatParquetIsSetTo() {
    Sessions.with(
        spark,
        "spark.mooring.sql.parquet.enabled",
        "false",
        () -> {
          WithAndWithout both = WithAndWithout.run(spark, "select u.w from u join t on u.k = t.id");
          assertThat(Plans.ours(both.ours())).hasSize(1);
          assertThat(Plans.sparks(both.ours())).hasSize(1);
        });
  }

  @Test
  void aTaskThatRunsTwiceReadsTheSame() {
    var data = spark.table("t").where("p > 1").select("id", "p");
    assertThat(data.collectAsList()).hasSize(1000);
    assertThat(data.collectAsList()).hasSize(1000);
    assertThat(data.rdd().count()).isEqualTo(1000);
  }
}
