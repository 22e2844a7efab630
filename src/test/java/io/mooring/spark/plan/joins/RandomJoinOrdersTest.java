package io.mooring.spark.plan.joins;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.stage.replicated.ReplicatedTables;
import io.mooring.testing.Interpreted;
import io.mooring.testing.RandomCases;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random joins along foreign keys in reordered plans: rows and errors are Spark's. {@code
 * -Dmooring.test.orders.cases=1000} makes more of them, {@code -Dmooring.test.orders.seed=N} begins
 * with another.
 */
@Tag("extended")
@Tag("random")
class RandomJoinOrdersTest {
  private static final int CASES = RandomCases.of("mooring.test.orders.cases", 6);
  private static final long SEED = Long.getLong("mooring.test.seed", System.nanoTime());

  private static final int MOST_ROWS = 100_000;

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark =
        Sessions.transparent(
            folder.resolve("warehouse"), Interpreted.and(ReplicatedTables.SETTINGS));
    ReplicatedTables.create(spark, folder);
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @Test
  void rowsAndErrorsAreSparks() {
    System.out.println("RandomJoinOrdersTest seed " + SEED);
    int reordered = 0;
    int failed = 0;
    for (long seed = SEED; seed < SEED + CASES; seed++) {
      String query = bounded(new JoinAlongKeys(new Random(seed)).query());
      Map<String, String> settings =
          Map.of(
              // A condition that the scan evaluates can hide the error of one before it.
              "spark.mooring.sql.pushdown", "never",
              "spark.sql.adaptive.enabled", String.valueOf(seed % 2 == 0),
              "spark.sql.ansi.enabled", String.valueOf(seed % 3 != 0));
      Map<String, String> asWritten = Map.of("spark.mooring.sql.replicatedJoins", "never");
      List<String> plans = new ArrayList<>();
      Sessions.with(
          spark,
          settings,
          () -> {
            List<String> ours = outcome(query);
            plans.add(plan(query));
            Sessions.with(spark, asWritten, () -> plans.add(plan(query)));
            Sessions.with(
                spark,
                Map.of("spark.mooring.sql.enabled", "false"),
                () -> assertThat(ours).as(query).isEqualTo(outcome(query)));
            plans.addAll(ours);
          });
      reordered += plans.get(0).equals(plans.get(1)) ? 0 : 1;
      failed += plans.size() == 3 && plans.get(2).startsWith("error") ? 1 : 0;
    }
    System.out.println(
        CASES + " joins, " + reordered + " in another order, " + failed + " fail in both");
    if (CASES >= RandomCases.ENOUGH) {
      assertThat(reordered).isGreaterThan(CASES / 8);
    }
  }

  /** The query, or an aggregate of its rows where these are too many to be compared. */
  private static String bounded(String query) {
    String rows = " from (" + query + " limit " + (MOST_ROWS + 1) + ")";
    List<String> counted = new ArrayList<>();
    Sessions.with(
        spark,
        Map.of("spark.mooring.sql.enabled", "false", "spark.sql.ansi.enabled", "false"),
        () -> counted.addAll(outcome("select count(*) > " + MOST_ROWS + rows)));
    return counted.get(0).contains("true")
        ? "select count(*), min(a), max(b), max(c) from (" + query + ")"
        : query;
  }

  private static List<String> outcome(String query) {
    try {
      Dataset<Row> data = spark.sql(query);
      List<String> all = new ArrayList<>(ScanResults.rows(data));
      all.add(data.schema().toString());
      return all;
    } catch (Exception e) {
      assertThat(e).isNotInstanceOf(AnalysisException.class);
      Throwable cause = e;
      while (cause.getCause() != null) {
        cause = cause.getCause();
      }
      return List.of("error " + cause.getClass());
    }
  }

  /** The order of relations. */
  private static String plan(String query) {
    return spark.sql(query).queryExecution().optimizedPlan().toString().replaceAll("#[0-9]+L?", "");
  }

  /** A chain of relations, each joined with one before it by a key. */
  private static final class JoinAlongKeys {
    private static final List<List<String>> KEYS =
        List.of(
            List.of("lineitem", "l_orderkey", "orders", "o_orderkey"),
            List.of("lineitem", "l_partkey", "part", "p_partkey"),
            List.of("lineitem", "l_suppkey", "supplier", "s_suppkey"),
            List.of("orders", "o_custkey", "customer", "c_custkey"),
            List.of("customer", "c_nationkey", "nation", "n_nationkey"),
            List.of("supplier", "s_nationkey", "nation", "n_nationkey"),
            List.of("nation", "n_regionkey", "region", "r_regionkey"));
    private static final Map<String, List<String>> NUMBERS =
        Map.of(
            "lineitem", List.of("l_partkey", "l_suppkey", "l_orderkey", "l_price", "l_discount"),
            "orders", List.of("o_orderkey", "o_custkey"),
            "customer", List.of("c_custkey", "c_nationkey", "c_balance"),
            "part", List.of("p_partkey"),
            "supplier", List.of("s_suppkey", "s_nationkey"),
            "nation", List.of("n_nationkey", "n_regionkey"),
            "region", List.of("r_regionkey"));

    private final Random random;
    private final List<String> tables = new ArrayList<>();
    private int lineitems;

    JoinAlongKeys(Random random) {
      this.random = random;
    }

    private <T> T one(List<T> of) {
      return of.get(random.nextInt(of.size()));
    }

    String query() {
      tables.add(one(List.of("lineitem", "lineitem", "orders", "customer")));
      lineitems = tables.contains("lineitem") ? 1 : 0;
      StringBuilder from = new StringBuilder(relation(0));
      List<String> where = new ArrayList<>();
      int joins = 2 + random.nextInt(4);
      while (tables.size() <= joins) {
        join(from);
      }
      for (int i = 0; i < tables.size(); i++) {
        if (random.nextInt(3) == 0) {
          where.add(number(i) + " % " + (2 + random.nextInt(5)) + " <> 1");
        }
      }
      if (random.nextInt(6) == 0) {
        where.add(number(0) + " / " + number(joins) + " > 0.1");
      }
      String result =
          random.nextInt(4) == 0
              ? "count(*), sum(" + number(0) + "), max(" + number(joins) + ")"
              : number(0) + " a, " + number(1) + " b, " + number(joins) + " c";
      return "select "
          + result
          + " from "
          + from
          + (where.isEmpty() ? "" : " where " + String.join(" and ", where));
    }

    private void join(StringBuilder from) {
      int with = random.nextInt(tables.size());
      List<String> key = one(KEYS);
      boolean up = key.get(2).equals(tables.get(with));
      String table = key.get(up ? 0 : 2);
      if (!key.get(up ? 2 : 0).equals(tables.get(with))
          || (table.equals("lineitem") && lineitems++ > 0)) {
        return;
      }
      int at = tables.size();
      tables.add(table);
      String on = "t%d.%s = t%d.%s".formatted(with, key.get(up ? 3 : 1), at, key.get(up ? 1 : 3));
      if (random.nextInt(4) == 0) {
        on +=
            " and " + number(random.nextInt(at)) + one(List.of(" < ", " >= ", " <> ")) + number(at);
      }
      String kind = random.nextInt(8) == 0 ? " left join " : " join ";
      from.append(kind).append(relation(at)).append(" on ").append(on);
    }

    private String number(int table) {
      return "t" + table + "." + one(NUMBERS.get(tables.get(table)));
    }

    private String relation(int at) {
      String table = tables.get(at);
      String number = one(NUMBERS.get(table));
      String text =
          switch (random.nextInt(8)) {
            case 0 -> "(select * from " + table + " where " + number + " % 3 = 1)";
            case 1 -> "(select distinct * from " + table + ")";
            case 2 -> "(select *, " + number + " + 1 more from " + table + ")";
            default -> table;
          };
      return text + " t" + at;
    }
  }
}
