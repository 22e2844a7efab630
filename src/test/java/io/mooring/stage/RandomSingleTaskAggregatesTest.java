package io.mooring.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.mooring.stage.replicated.ReplicatedTables;
import io.mooring.testing.Interpreted;
import io.mooring.testing.Plans;
import io.mooring.testing.RandomCases;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random aggregates over aggregates, by one task each and by Spark. {@code
 * -Dmooring.test.aggregates.cases=10000} makes more of them, {@code
 * -Dmooring.test.aggregates.seed=N} begins with another.
 */
@Tag("extended")
@Tag("random")
class RandomSingleTaskAggregatesTest {
  private static final int CASES = RandomCases.of("mooring.test.aggregates.cases", 15);
  private static final long SEED = Long.getLong("mooring.test.aggregates.seed", 1);

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    Map<String, String> settings = new HashMap<>(ReplicatedTables.SETTINGS);
    settings.put("spark.mooring.sql.singleTaskAggregates", "always");
    settings.put("spark.sql.ansi.enabled", "false");
    spark = Sessions.transparent(folder.resolve("warehouse"), Interpreted.and(settings));
    for (int i = 0; i < RandomAggregates.TABLES; i++) {
      String path = folder.resolve("t" + i).toString();
      spark
          .range(0, 900 >> (2 * i), 1, 3)
          .selectExpr(
              "if(id % 9 = 0, null, bigint(abs(hash(id)) % 40)) k",
              "if(id % 8 = 1, null, int(id * 7 % 23)) i",
              "if(id % 7 = 2, null, concat('text ', id % 31)) s",
              "cast(id * 31 % 1000 / 10 as decimal(12,2)) v")
          .write()
          .option("parquet.block.row.count.limit", 100)
          .parquet(path);
      spark.read().parquet(path).createOrReplaceTempView("t" + i);
    }
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @Test
  void rowsAreSparks() {
    int single = 0;
    long merged = 0;
    for (long seed = SEED; seed < SEED + CASES; seed++) {
      String query = new RandomAggregates(seed).query();
      String adaptive = String.valueOf(seed % 2 == 0);
      try {
        WithAndWithout both =
            Sessions.with(
                spark,
                "spark.sql.adaptive.enabled",
                adaptive,
                () -> WithAndWithout.run(spark, query));
        List<SparkPlan> nodes = Plans.nodes(both.ours(), MooringFinalStageExec.class::isInstance);
        single += nodes.isEmpty() ? 0 : 1;
        merged += nodes.stream().mapToLong(it -> it.metrics().apply("finalGroups").value()).sum();
      } catch (RuntimeException | AssertionError e) {
        fail("Seed " + seed + ", adaptive " + adaptive + ": " + query, e);
      }
    }
    System.out.println(CASES + " cases, " + single + " by one task, merged " + merged);
    assertThat(single).isGreaterThan(CASES / 2);
    assertThat(merged > 0).isEqualTo(RequiresGpu.Condition.gpuIsThere());
  }

  /**
   * Aggregates over aggregates of tables with the columns k and i, integers, s, a string, and v, a
   * decimal: with keys and without, with DISTINCT, FILTER and HAVING, over joins, over unions, in
   * joins, below window functions, sorted or not.
   */
  private static final class RandomAggregates {
    static final int TABLES = 3;

    private static final List<String> KEYS =
        List.of(
            "k", "i", "s", "k % 3", "substring(s, 1, 6)", "v > 40", "coalesce(i, -1)", "i / 4D");
    private static final List<String> NUMBERS = List.of("k", "i", "v", "k + i", "v * 2");
    private static final List<String> CONDITIONS =
        List.of("k > 3", "i is not null", "s like '%1%'", "v < 70", "k % 2 = 1 or i < 5");

    private final Random random;
    private int joins;

    RandomAggregates(long seed) {
      this.random = new Random(seed);
    }

    String query() {
      String source = aggregate(source());
      for (int i = random.nextInt(3); i > 0; i--) {
        source = aggregate(random.nextBoolean() ? "(" + source + ")" : joinedGroups(source));
      }
      source = random.nextInt(3) == 0 ? "select * from " + joinedGroups(source) : source;
      source = random.nextInt(3) == 0 ? windowed(source) : source;
      source = random.nextInt(9) == 0 ? aggregate("(" + source + ")") : source;
      return switch (random.nextInt(4)) {
        case 0 -> "select * from (" + source + ") order by k, i, s, v";
        case 1 -> "select * from (" + source + ") order by k, i, s, v limit 7";
        case 2 ->
            "select k, i, s, sum(v) over (partition by k order by i, s, v) from (" + source + ")";
        default -> source;
      };
    }

    /** The same columns; one is the result of a window function, by which rows may be chosen. */
    private String windowed(String source) {
      String function =
          one(
              List.of(
                  "sum(v)",
                  "avg(v)",
                  "min(s)",
                  "max(v)",
                  "count(i)",
                  "count(*)",
                  "sum(i)",
                  "avg(i)",
                  "max(i)",
                  "rank()",
                  "dense_rank()"));
      boolean ranks = function.contains("rank");
      String by = one(List.of("k", "i", "s", "k, i", "s, k", "k % 2"));
      String partition = random.nextInt(4) == 0 ? "" : "partition by " + by;
      String order =
          one(List.of("i", "s desc", "v desc nulls last", "k, i desc", "s, v", "k nulls last, s"));
      String frame =
          switch (random.nextInt(3)) {
            case 0 -> ranks ? " order by " + order : "";
            case 1 -> " order by " + order;
            default -> " order by s, k desc, v, i" + (ranks ? "" : " rows unbounded preceding");
          };
      String result = function + " over (" + partition + frame + ")";
      String columns =
          function.equals("min(s)")
              ? "k, i, " + result + " s, v"
              : "k, i, s, cast(" + result + " as decimal(20,2)) v";
      String chosen = random.nextInt(3) == 0 ? " where " + one(CONDITIONS) : "";
      return "select * from (select " + columns + " from (" + source + "))" + chosen;
    }

    /** The rows of a table, of a join, or of a union of these. */
    private String source() {
      String first = part();
      if (random.nextInt(4) > 0) {
        return first;
      }
      String all = random.nextInt(3) == 0 ? " union " : " union all ";
      String union = "select k, i, s, v from " + first;
      for (int i = random.nextInt(2); i >= 0; i--) {
        union += all + "select k, i, s, v from " + part();
      }
      String chosen = random.nextBoolean() ? "" : " where " + one(CONDITIONS);
      return "(select * from (" + union + ")" + chosen + ")";
    }

    private String part() {
      String table = "t" + random.nextInt(TABLES);
      return switch (random.nextInt(4)) {
        case 0 -> joined(table);
        case 1 -> "(select * from " + table + " where " + one(CONDITIONS) + ")";
        case 2 -> "(select * from " + table + " where k > 100000)";
        default -> table;
      };
    }

    private String joined(String table) {
      String a = "a" + joins;
      String b = "b" + joins++;
      String kind = random.nextBoolean() ? "join" : "left join";
      return String.format(
          "(select %s.k, %s.i, %s.s, %s.v from %s %s %s t%d %s on %s.k = %s.k)",
          a, b, a, b, table, a, kind, random.nextInt(TABLES), b, a, b);
    }

    /** Groups joined with rows of a table or with other groups, by one column or two. */
    private String joinedGroups(String groups) {
      String a = "a" + joins;
      String b = "b" + joins++;
      String other = random.nextBoolean() ? "t" + random.nextInt(TABLES) : aggregate(source());
      String kind =
          one(
              List.of(
                  "join", "left join", "right join", "full join", "left semi join", "anti join"));
      String from = kind.contains("semi") || kind.contains("anti") ? a : b;
      String and = one(List.of("", " and A.i = B.i", " and A.s <=> B.s", " and A.v > B.v"));
      return String.format(
          "(select %s.k, %s.i, %s.s, %s.v from (%s) %s %s %s %s on %s.k = %s.k%s)",
          a,
          from,
          from,
          a,
          groups,
          a,
          kind,
          other.startsWith("select") ? "(" + other + ")" : other,
          b,
          a,
          b,
          and.replace("A", a).replace("B", b));
    }

    /** A query with the columns k, i, s and v again. */
    private String aggregate(String source) {
      boolean keyless = random.nextInt(6) == 0;
      List<String> keys =
          keyless
              ? List.of()
              : IntStream.rangeClosed(0, random.nextInt(2))
                  .mapToObj(any -> one(KEYS))
                  .distinct()
                  .toList();
      String distinct = one(NUMBERS);
      List<String> columns = new ArrayList<>();
      columns.add(String.format("cast(%s as bigint) k", number(keys, distinct)));
      columns.add(String.format("cast(%s as int) i", number(keys, distinct)));
      columns.add(String.format("cast(%s as string) s", text(keys)));
      columns.add(String.format("cast(%s as decimal(20,2)) v", number(List.of(), distinct)));
      String by = keyless ? "" : " group by " + String.join(", ", keys);
      String having = random.nextInt(3) == 0 ? " having count(*) > " + random.nextInt(3) : "";
      String listed = columns.stream().collect(Collectors.joining(", "));
      return "select " + listed + " from " + source + by + having;
    }

    private String number(List<String> keys, String distinct) {
      List<String> own = keys.stream().filter(key -> !key.contains("s")).toList();
      if (!own.isEmpty() && random.nextInt(3) == 0) {
        return one(own).replace("v > 40", "int(v > 40)");
      }
      String filter = random.nextInt(5) == 0 ? " filter (where " + one(CONDITIONS) + ")" : "";
      return switch (random.nextInt(12)) {
        case 0 -> "count(*)" + filter;
        case 1 -> "count(" + one(KEYS) + ")" + filter;
        case 2 -> "count(distinct " + distinct + ")";
        case 3 -> "sum(distinct " + distinct + ") % 1000";
        case 4 -> "avg(cast(" + one(NUMBERS) + " as decimal(12,2)))" + filter;
        case 5 -> "min(" + one(NUMBERS) + ")" + filter;
        case 6 -> "max(" + one(NUMBERS) + ")" + filter;
        case 7 ->
            (random.nextBoolean() ? "avg(int(" + one(NUMBERS) : "max(double(" + one(NUMBERS))
                + " % 1000))"
                + filter;
        case 8 -> "avg(cast(" + one(NUMBERS) + " % 1000 as decimal(9,3)))" + filter;
          // Exact in doubles, whatever the order of rows.
        case 9 -> one(List.of("sum", "avg")) + "(int(" + one(NUMBERS) + ") % 1000 / 8D)" + filter;
        case 10 -> "round(variance(int(" + one(NUMBERS) + ") % 1000) * 0.318309886183D, 1)";
        default -> "sum(" + one(NUMBERS) + ") % 1000";
      };
    }

    private String text(List<String> keys) {
      return keys.contains("s") && random.nextBoolean()
          ? "s"
          : (random.nextBoolean() ? "max" : "min") + "(s)";
    }

    private String one(List<String> of) {
      return of.get(random.nextInt(of.size()));
    }
  }
}
