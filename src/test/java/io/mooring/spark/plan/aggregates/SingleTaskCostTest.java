package io.mooring.spark.plan.aggregates;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.catalyst.ScalaLists;
import io.mooring.spark.plan.GroupEstimate;
import io.mooring.spark.plan.GroupEstimate.ColumnValues;
import io.mooring.spark.plan.RowCounts;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalDouble;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Estimates of groups, and what one task costs against an exchange. */
class SingleTaskCostTest {
  private static final double GIB = 1L << 30;
  private static final ColumnValues UNKNOWN = (relation, column) -> OptionalDouble.empty();

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = Sessions.transparent(folder.resolve("warehouse"), Map.of());
    String path = folder.resolve("orders").toString();
    spark
        .range(50_000)
        .selectExpr(
            "id o", "id % 900 c", "concat('p', id % 5) p", "id % 2 = 0 b", "current_date() d")
        .write()
        .parquet(path);
    spark.read().parquet(path).createOrReplaceTempView("orders");
    String parts = folder.resolve("parts").toString();
    spark.range(400).selectExpr("id k", "concat('n', id) n").coalesce(1).write().parquet(parts);
    spark.read().parquet(parts).createOrReplaceTempView("parts");
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @Test
  void oneGpuReadsInTheTimeOfAll() {
    assertThat(new SingleTaskCost(1, Long.MAX_VALUE).readsForLess(1000 * GIB, 0)).isTrue();
  }

  /** Four groups: the exchange costs nothing, and the others' reading is lost. */
  @Test
  void severalGpusKeepTheirShareOfLargeFiles() {
    SingleTaskCost cost = new SingleTaskCost(8, Long.MAX_VALUE);
    assertThat(cost.readsForLess(10 * GIB, 100)).isFalse();
    assertThat(cost.readsForLess(GIB / 32, 100)).isTrue();
  }

  @Test
  void severalGpusReadOnOneWhatWouldBeExchangedAlmostWhole() {
    SingleTaskCost cost = new SingleTaskCost(8, Long.MAX_VALUE);
    assertThat(cost.readsForLess(10 * GIB, 3 * GIB)).isTrue();
    assertThat(cost.readsForLess(10 * GIB, GIB)).isFalse();
  }

  @Test
  void thereAreNoMoreGroupsThanRowsOfTheRelationOfTheKeys() {
    String query = "select %s, count(*) from orders join parts on c = k group by %s";
    double parts = new RowCounts().rows(optimized("select * from parts"));
    double orders = new RowCounts().rows(optimized("select * from orders"));
    assertThat(groups(query, "k", false)).isBetween(parts, parts + 1);
    assertThat(groups(query, "n, k", false)).isBetween(parts, parts + 1);
    assertThat(groups(query, "o", false)).isBetween(orders - 1, orders + 1);
    assertThat(groups(query, "k, o", false)).isBetween(orders - 1, orders + 1);
    assertThat(groups(query, "b", false)).isEqualTo(3);
  }

  /** An inner or a semi join leaves out other keys. */
  @Test
  void thereAreNoMoreGroupsThanRowsThatAKeyIsJoinedWith() {
    double parts = new RowCounts().rows(optimized("select * from parts"));
    double orders = new RowCounts().rows(optimized("select * from orders"));
    String inner = "select %s, count(*) from orders join parts on k = c group by %s";
    assertThat(groups(inner, "c", false)).isBetween(parts, parts + 1);
    assertThat(groups(inner, "o", false)).isGreaterThan(orders - 1);
    String semi = "select %s, count(*) from orders where c in (select k from parts) group by %s";
    assertThat(groups(semi, "c", false)).isBetween(parts, parts + 1);
    String outer = "select %s, count(*) from orders left join parts on c = k group by %s";
    assertThat(groups(outer, "c", false)).isGreaterThan(orders - 1);
    String anti =
        semi.replace("where c in (select", "where not exists (select")
            .replace("from parts)", "from parts where k = c)");
    assertThat(groups(anti, "c", false)).isGreaterThan(orders - 1);
  }

  @Test
  void belowASortTextsAndDatesAreFew() {
    String query = "select %s, count(*) from orders group by %s";
    assertThat(groups(query, "p", true)).isEqualTo(GroupEstimate.FEW_VALUES);
    assertThat(groups(query, "b, year(d)", true)).isEqualTo(3 * GroupEstimate.FEW_VALUES);
    assertThat(groups(query, "p", false)).isGreaterThan(10 * GroupEstimate.FEW_VALUES);
    assertThat(groups(query, "o", true)).isEqualTo(groups(query, "o", false));
    String join = "select %s, count(*) from orders join parts on c = k group by %s";
    assertThat(groups(join, "c, p, n", true))
        .isEqualTo(groups(join, "c, p", true))
        .isEqualTo(new RowCounts().rows(optimized("select * from orders")));
    assertThat(groups(join, "p, n", true)).isEqualTo(GroupEstimate.FEW_VALUES);
  }

  /** A union's columns have the names of those of its first child. */
  @Test
  void groupsOfAUnionAreThoseOfAllItsChildren() {
    double orders = new RowCounts().rows(optimized("select * from orders"));
    String union = "select k from parts union select o from orders";
    assertThat(new RowCounts().rows(optimized(union))).isGreaterThan(orders - 1);
  }

  /** In each of these, a column is null in some of the sets. */
  @Test
  void groupingSetsHaveTheValuesOfTheirColumns() {
    String query = "select count(*) from orders group by %s";
    double orders = new RowCounts().rows(optimized("select * from orders"));
    assertThat(groups(query, "grouping sets ((b, p), (b, o))", false)).isGreaterThan(orders - 1);
    assertThat(groups(query, "grouping sets ((b, o), (b, p))", false)).isGreaterThan(orders - 1);
    assertThat(groups(query, "rollup(b)", false)).isEqualTo(3 * 2);
  }

  private static LogicalPlan optimized(String query) {
    return spark.sql(query).queryExecution().optimizedPlan();
  }

  @Test
  void whatIsKnownOfColumnsReplacesGuesses() {
    String query = "select %s, count(*) from orders group by %s";
    double orders = new RowCounts().rows(optimized("select * from orders"));
    ColumnValues seven = (relation, column) -> OptionalDouble.of(7);
    assertThat(groups(query, "p", true, seven)).isEqualTo(7);
    assertThat(groups(query, "p, c", false, seven)).isEqualTo(49);
    assertThat(groups(query, "year(d)", true, seven)).isEqualTo(7);
    assertThat(groups(query, "p", true, ColumnValues.MOST)).isEqualTo(orders);
    assertThat(groups(query, "year(d)", true, ColumnValues.MOST))
        .isEqualTo(GroupEstimate.FEW_VALUES);
    assertThat(groups(query, "b, p, year(d)", true, ColumnValues.FEWEST)).isEqualTo(3);
    String renamed =
        "select %s, count(*) from (select p k, c from orders) join parts p on c = p.k group by %s";
    assertThat(groups(renamed.replace("p k", "p text"), "text", true, seven)).isEqualTo(7);
  }

  /** For several GPUs: many groups are certain only of a column that nothing filters. */
  @Test
  void manyGroupsAreThoseOfColumnsWithoutAFilter() {
    String query = "select %s, count(*) from orders join parts on c = parts.k group by %s";
    ColumnValues many = (relation, column) -> OptionalDouble.of(300);
    assertThat(leastGroups(query, "p", many)).isEqualTo(300);
    assertThat(leastGroups(query, "p, d", many)).isEqualTo(300);
    assertThat(leastGroups(query, "year(d)", many)).isZero();
    assertThat(leastGroups(query, "p", UNKNOWN)).isZero();
    assertThat(leastGroups(query.replace(" group", " where o > 5 group"), "p", many)).isZero();
  }

  private static double groups(String query, String keys, boolean few) {
    return groups(query, keys, few, UNKNOWN);
  }

  private static double leastGroups(String query, String keys, ColumnValues columns) {
    Aggregate aggregate = (Aggregate) optimized(query.formatted(keys, keys));
    return new GroupEstimate(aggregate.child(), false, columns, new RowCounts())
        .leastGroups(ScalaLists.<Expression>list(aggregate.groupingExpressions()));
  }

  private static double groups(String query, String keys, boolean few, ColumnValues columns) {
    Aggregate aggregate = (Aggregate) optimized(query.formatted(keys, keys));
    return new GroupEstimate(aggregate.child(), few, columns, new RowCounts())
        .groups(ScalaLists.<Expression>list(aggregate.groupingExpressions()));
  }
}
