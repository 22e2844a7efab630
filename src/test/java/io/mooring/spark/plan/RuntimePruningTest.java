package io.mooring.spark.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.stage.MooringStageExec;
import io.mooring.testing.Matrix;
import io.mooring.testing.Plans;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sub-queries and joins prune the partitions that they prune for Spark's own scan. */
@Tag("extended")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RuntimePruningTest {
  private static final List<String> ADAPTIVE = List.of("true", "false");

  /** On a GPU, the keys of a join rule out row groups of the partitions that are left. */
  private static final String[] FILES = {"cpuFiles", "gpuFiles", "filesPruned", "rowGroupsPruned"};

  @TempDir static Path folder;
  private SparkSession spark;

  @BeforeAll
  void start() {
    spark = Sessions.transparent(folder.resolve("warehouse"), Map.of());
    spark.sql(
        "create table facts using parquet partitioned by (day, odd) as select /*+ coalesce(1) */ id"
            + " as v, cast(id % 10 as int) as day, case id div 10 % 3 when 0 then null when 1 then"
            + " 'a b' else 'Z' end as odd from range(1000)");
    spark.sql(
        "create table dims using parquet as select cast(id as int) as day, concat('n', id) as name,"
            + " id * 2 as twice, if(id % 2 = 0, 'Z', 'a b') as odd from range(10)");
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  /** The files of the table of facts that its scans have, each of one row group. */
  private static long files(List<SparkPlan> scans, String... metrics) {
    return scans.stream()
        .filter(scan -> scan.output().exists(it -> it.name().equals("v")))
        .flatMap(scan -> Arrays.stream(metrics).map(name -> scan.metrics().apply(name).value()))
        .mapToLong(value -> (Long) value)
        .sum();
  }

  private WithAndWithout assertSame(String sql) {
    WithAndWithout both = WithAndWithout.run(spark, sql);
    // Adaptive execution drops the scan of no partition.
    assertThat(Plans.sparks(both.ours())).isEmpty();
    assertThat(files(Plans.ours(both.ours()), FILES))
        .as(sql)
        .isEqualTo(files(Plans.sparks(both.sparks()), "numFiles"));
    return both;
  }

  private void inBoth(Runnable test) {
    in(ADAPTIVE, test);
  }

  private void in(List<String> modes, Runnable test) {
    for (String adaptive : modes) {
      Sessions.with(spark, "spark.sql.adaptive.enabled", adaptive, test::run);
    }
  }

  @Tag("matrix")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "day = (select max(day) from dims)",
        "day = (select max(day) from dims where name = 'none')",
        "not day = (select max(day) from dims)",
        "day > (select max(day) - 3 from dims) and odd <> 'Z' and v % 2 = 0",
        "day + 1 = (select twice from dims where name = 'n3')",
        "odd = (select min(odd) from dims) and day % 2 = 0",
        "odd <=> (select min(odd) from dims where name = 'none')",
        "day in ((select min(day) from dims), (select cast(max(twice) as int) - 11 from dims))",
        "day between (select min(twice) from dims) and (select avg(twice) from dims)",
        "day = (select max(day) from dims) or odd is null",
        "day = (select max(day) from dims) or v = 17",
        "day = (select max(day) from dims) and v = (select max(twice) + 1 from dims)",
        "coalesce(odd, 'none') || day = (select concat('none', max(day)) from dims)",
        "exists (select 1 from dims where name = 'n3') and day = 5",
        "DAY + 1 = (select twice from dims where name = 'n3') and Odd < (select max(odd) from dims)"
      })
  void scalarSubQueriesPrunePartitions(String condition) {
    in(
        Matrix.both(condition),
        () -> {
          assertSame("select v, day, odd from facts where " + condition);
          assertSame(
              "select odd, sum(v), count(*) from facts where " + condition + " group by odd");
          assertSame("select max(v), count(*) from facts where " + condition);
        });
  }

  @Tag("matrix")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "f.day % 5 = d.day",
        "f.day + 1 = d.day",
        "cast(f.day as string) = substring(d.name, 2, 1)",
        "f.day * 2 = d.twice",
        "concat(f.odd, f.day) = concat(d.odd, d.day)",
        "coalesce(f.odd, 'Z') = d.odd and f.day = d.day",
        "f.day + (select min(twice) + 1 from dims) = d.day",
        "nullif(f.day, (select max(day) from dims)) = d.day",
        "f.day % 4 = d.day and f.day = d.twice - 2",
        "F.DAY % 5 = d.day and F.Day = d.twice - 3"
      })
  void joinsByExpressionsPrunePartitions(String condition) {
    in(
        Matrix.both(condition),
        () -> {
          String from = " from facts f join dims d on " + condition + " where d.name = 'n3'";
          assertSame("select f.v, f.odd, d.name" + from);
          assertSame("select f.odd, sum(f.v), count(*)" + from + " group by f.odd")
              .assertEqualCounts("BroadcastExchange", "ReusedExchange", "BroadcastHashJoin");
        });
  }

  /** Adaptive execution plans the scan again when the broadcasts are there. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select count(*) from facts f join dims d on f.v = d.twice where f.day = (select max(day) from dims)",
        "select d.name, sum(v) from facts f join dims d on f.v % 5 = d.day where f.day >= (select max(day) - 1"
            + " from dims) group by d.name",
        "select count(*), count(d.day) from facts f left join dims d on f.v = d.twice where f.day = (select"
            + " max(day) from dims)",
        "select count(*) from facts where v in (select twice from dims where name > 'n3') and day = (select"
            + " min(day) + 8 from dims)",
        "select count(*) from facts a join facts b on a.v = b.v + 10 where a.day = (select max(day) from dims)",
        "with c as (select * from facts where day = (select max(day) from dims)) select count(*) from c a join"
            + " c b on a.v = b.v",
        "select count(*) from (select v from facts where day = (select max(day) from dims) union all select v"
            + " from facts where odd is null) u join dims d on u.v = d.twice",
        "select count(*) from facts f join dims d on f.day = d.day join dims e on f.v = e.twice where d.name ="
            + " 'n4' and f.odd = (select min(odd) from dims)"
      })
  void scalarSubQueriesBesideJoinsPrunePartitions(String query) {
    in(List.of("true"), () -> assertSame(query));
  }

  /** In a session that starts, the first plan may come before an executor tells of its GPU. */
  @Test
  void aScanThatIsNotInTheFirstPlanHasNoSubQueriesOfItsOwn() {
    String query =
        "select count(*) from facts f join dims d on f.v = d.twice where f.day = (select max(day) - 1 from dims)";
    Dataset<Row> data = spark.sql(query);
    Sessions.with(
        spark, "spark.mooring.sql.enabled", "false", () -> assertThat(Plans.ours(data)).isEmpty());
    assertThat(data.collectAsList()).hasToString("[[2]]");
    assertThat(Plans.ours(data)).isNotEmpty();
  }

  @Test
  void someOfThePartitionsAreRead() {
    inBoth(
        () -> {
          WithAndWithout scalar =
              assertSame("select sum(v) from facts where day = (select max(day) from dims)");
          assertThat(files(Plans.sparks(scalar.sparks()), "numFiles")).isEqualTo(3);
          WithAndWithout join =
              assertSame(
                  "select sum(v) from facts f join dims d on f.day % 5 = d.day where name = 'n3'");
          assertThat(files(Plans.sparks(join.sparks()), "numFiles")).isEqualTo(6);
        });
  }

  @Test
  void aSubQueryRunsOnce() {
    inBoth(
        () -> {
          String sql = "select sum(v) from facts where day = (select max(day) from dims)";
          Dataset<Row> ours = assertSame(sql).ours();
          assertThat(scansOf(ours, "dims")).isEqualTo(1);
        });
  }

  private static long scansOf(Dataset<Row> data, String table) {
    return Plans.ours(data).stream()
        .filter(scan -> scan.simpleString(1000).contains("/" + table))
        .count();
  }

  @Test
  void theScanOfAStageIsPruned() {
    inBoth(
        () -> {
          String sql = "select odd, sum(v) from facts where day = (select max(day) from dims)";
          WithAndWithout both = assertSame(sql + " group by odd");
          List<SparkPlan> stages =
              Plans.nodes(
                  both.ours(),
                  node ->
                      node instanceof MooringStageExec
                          && node.simpleString(1000)
                              .contains("pruning at run time by [(day = subquery_0)]"));
          assertThat(stages).hasSize(1);
        });
  }

  @Test
  void equalScansAreExecutedOnce() {
    String groups =
        "(select day as k, odd, sum(v) as s from facts"
            + " where day > (select max(day) - 3 from dims) group by day, odd)";
    inBoth(
        () ->
            Sessions.with(
                spark,
                "spark.sql.autoBroadcastJoinThreshold",
                "-1",
                () ->
                    assertSame("select * from " + groups + " a join " + groups + " b using (k)")
                        .assertEqualCounts("ReusedExchange", "Exchange")));
  }

  @Test
  void otherSubQueriesAreOtherScans() {
    inBoth(
        () ->
            assertSame(
                "select (select sum(v) from facts where day = (select max(day) from dims)),"
                    + " (select sum(v) from facts where day = (select min(day) from dims))"));
  }

  @Test
  void aPlanThatRunsAgainPrunesByWhatIsFoundThen() {
    spark.sql("create table latest using parquet as select 3 as day");
    inBoth(
        () -> {
          spark.sql("insert overwrite latest select 3");
          String sql = "select count(*), max(v) from facts where day = (select day from latest)";
          Dataset<Row> before = spark.sql(sql);
          assertThat(before.first().getLong(1)).isEqualTo(993);
          spark.sql("insert overwrite latest select 8");
          assertThat(spark.sql(sql).first().getLong(1)).isEqualTo(998);
        });
  }

  @Test
  void columnsNamedAsTheScanNamesSubQueriesArePruned() {
    spark.sql(
        "create table named using parquet partitioned by (subquery_0, pruning_key_0) as"
            + " select id as v, cast(id % 4 as int) as subquery_0, cast(id % 3 as int) as"
            + " pruning_key_0 from range(100)");
    inBoth(
        () -> {
          assertSame("select sum(v) from named where subquery_0 = (select min(twice) from dims)");
          assertSame(
              "select sum(v) from named join dims on pruning_key_0 + 1 = day and subquery_0 = twice"
                  + " where name = 'n2'");
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void aSubQueryOfTwoRowsFailsAsItDoesWithSpark(String ours) {
    Sessions.with(
        spark,
        Map.of("spark.mooring.sql.enabled", ours),
        () ->
            assertThatThrownBy(
                    () ->
                        spark.sql("select v from facts where day = (select day from dims)").count())
                .hasMessageContaining("SCALAR_SUBQUERY_TOO_MANY_ROWS"));
  }
}
