package io.mooring.spark.plan.stages;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.stage.Stages;
import io.mooring.testing.Matrix;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Aggregates in stages have Spark's rows: distinct, filtered and sorted ones, of groups or of all
 * rows, and those over expanded rows, as of ROLLUP, CUBE and GROUPING SETS.
 */
@Tag("extended")
class StageAggregatesTest {
  private static final String ADAPTIVE = "spark.sql.adaptive.enabled";

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = SalesTables.session(folder);
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @Tag("matrix")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select distinct flag, day from sales",
        "select flag, count(distinct text) from sales group by flag",
        "select flag, count(distinct text), count(text), max(weight) from sales group by flag",
        "select sum(distinct price), avg(distinct price), count(distinct price) from sales",
        "select count(distinct weight), count(*), avg(price) from sales",
        "select count(distinct flag, day), max(id) from sales",
        "select count(distinct id % 7) from sales where price > 3",
        "select count(distinct price), avg(price), max(day) from sales where id < 0",
        "select flag from sales group by flag having count(distinct day) > 3 and sum(price) > 5",
        "select avg(price), round(stddev_pop(weight), 6), round(var_samp(weight), 4), count(text)"
            + " from sales",
        "select flag, sum(price) filter (where id < 100) from sales group by flag",
        "select avg(price) from few",
        "select flag, avg(price), min(text) from few group by flag",
        "select avg(price) from sales where id < 0 and day > '2020-01-01'"
      })
  void aggregatesOfManyShapesAreRight(String query) {
    for (String adaptive : Matrix.both(query)) {
      Sessions.with(
          spark,
          Map.of(ADAPTIVE, adaptive, "spark.mooring.sql.pushdown", "never"),
          () -> assertThat(Stages.of(WithAndWithout.run(spark, query).ours())).isNotEmpty());
    }
  }

  @Tag("matrix")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select flag, day, sum(price), grouping_id() from sales group by rollup(flag, day)",
        "select flag, day, count(*), avg(weight) from sales where id + 1 > 7 group by cube(flag,"
            + " day)",
        "select flag, id % 3 k, sum(price) from sales"
            + " group by grouping sets ((flag, id % 3), (flag), (flag), ())",
        "select flag, count(distinct text), count(distinct day), sum(price) from sales group by"
            + " flag",
        "select count(distinct text), count(distinct day) filter (where id < 50) from sales",
        "select s.flag, f.text, sum(s.price * f.discount), max(f.text) from sales s join few f"
            + " on s.id % 100 = f.id group by rollup(s.flag, f.text)",
        "select flag, sum(v) from (select flag, price v, day from sales union all"
            + " select flag, discount, day from few) group by rollup(flag, day)"
      })
  void expandedRowsAreRight(String query) {
    for (String adaptive : Matrix.both(query)) {
      Sessions.with(
          spark,
          Map.of(ADAPTIVE, adaptive, "spark.mooring.sql.pushdown", "never"),
          () -> {
            Dataset<Row> ours = WithAndWithout.run(spark, query).assertOurs().ours();
            assertThat(Stages.of(ours))
                .anySatisfy(
                    stage ->
                        assertThat(Stages.text(stage))
                            .contains("Expand, ")
                            .contains("Aggregate] over"));
          });
    }
  }

  @Test
  void groupsOfNothingAreNothing() {
    WithAndWithout.run(spark, "select flag, avg(price) from sales where id < 0 group by flag");
  }

  @Test
  void whatReliesOnTheOrderOfASortAggregateFindsIt() {
    String query = "select text, min(flag), count(*) from few group by text";
    Sessions.with(
        spark,
        Map.of("spark.mooring.sql.pushdown", "never", ADAPTIVE, "false"),
        () -> assertThat(Stages.of(WithAndWithout.run(spark, query).ours())).hasSize(1));
  }
}
