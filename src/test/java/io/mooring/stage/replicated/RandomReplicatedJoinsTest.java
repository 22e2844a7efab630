package io.mooring.stage.replicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.mooring.testing.Interpreted;
import io.mooring.testing.RandomCases;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random joins, with and without exchanges. {@code -Dmooring.test.joins.cases=10000} makes more of
 * them, {@code -Dmooring.test.joins.seed=N} begins with another.
 */
@Tag("random")
class RandomReplicatedJoinsTest {
  private static final int CASES = RandomCases.of("mooring.test.joins.cases", 15);
  private static final long SEED = Long.getLong("mooring.test.joins.seed", 1);

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark =
        Sessions.transparent(
            folder.resolve("warehouse"), Interpreted.and(ReplicatedTables.SETTINGS));
    for (int i = 0; i < RandomReplicatedJoins.TABLES; i++) {
      String path = folder.resolve("t" + i).toString();
      spark
          .range(0, 60 - 7 * i, 1, 2)
          .selectExpr(RandomReplicatedJoins.columns(i))
          .write()
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
    int replicated = 0;
    for (long seed = SEED; seed < SEED + CASES; seed++) {
      String query = new RandomReplicatedJoins(seed).query();
      String adaptive = String.valueOf(seed % 2 == 0);
      try {
        WithAndWithout both =
            Sessions.with(
                spark,
                "spark.sql.adaptive.enabled",
                adaptive,
                () -> WithAndWithout.run(spark, query));
        replicated += ReplicatedTables.replicated(both.ours()).size();
      } catch (RuntimeException | AssertionError e) {
        fail("Seed " + seed + ", adaptive " + adaptive + ": " + query, e);
      }
    }
    assertThat(replicated).isGreaterThan(CASES / 2);
  }

  /** Joins of two to five tables, nested any way: of every kind, some of them with conditions. */
  private static final class RandomReplicatedJoins {
    static final int TABLES = 5;

    private static final List<String> KINDS =
        List.of("join", "join", "left join", "right join", "left semi join", "left anti join");
    private static final List<String> KEYS = List.of("k", "i", "s");

    private final Random random;
    private int names;

    RandomReplicatedJoins(long seed) {
      this.random = new Random(seed);
    }

    /** Columns of a table number; keys have nulls and duplicates, and half of them are few. */
    static String[] columns(int table) {
      int distinct = 25 + 15 * table;
      String key = "int(abs(hash(id, " + table + ")) % if(id % 2 = 0, 5, " + distinct + "))";
      return new String[] {
        "if(id % 9 = 0, null, bigint(" + key + ")) k",
        "if(id % 8 = 1, null, int(id * 7 % " + distinct + ")) i",
        "if(id % 7 = 2, null, concat('text ', " + key + ")) s",
        "cast(id * 31 % 1000 / 10 as decimal(12,2)) v"
      };
    }

    String query() {
      return "select * from " + source(1 + random.nextInt(TABLES - 1));
    }

    /** Something with the columns k, i, s and v. */
    private String source(int joins) {
      if (joins == 0) {
        String table = "t" + random.nextInt(TABLES);
        return switch (random.nextInt(6)) {
          case 0 -> "(select * from " + table + " where v > " + random.nextInt(60) + ")";
          case 1 -> grouped(table);
          case 2 -> grouped(grouped(table));
          default -> table;
        };
      }
      int left = random.nextInt(joins);
      String a = "a" + names;
      String b = "b" + names++;
      String kind = KINDS.get(random.nextInt(KINDS.size()));
      return "(select "
          + columns(a, kind.contains("semi") || kind.contains("anti") ? a : b)
          + String.format(" from %s %s %s ", source(left), a, kind)
          + String.format("%s %s on %s)", source(joins - 1 - left), b, condition(a, b));
    }

    private String grouped(String source) {
      String having = random.nextBoolean() ? "" : " having count(*) > " + random.nextInt(3);
      return switch (random.nextInt(4)) {
        case 0 ->
            "(select k, max(i) i, min(s) s, sum(v) v from " + source + " group by k" + having + ")";
        case 1 ->
            "(select k, count(i) i, s, avg(v) v from " + source + " group by s, k" + having + ")";
        case 2 ->
            "(select sum(i) k, i, s, max(v) - 1 v from " + source + " group by i, s" + having + ")";
        default ->
            "(select k, cast(sum(i) as int) i, concat(s, 'x') s, sum(v) filter (where v > 9) v from"
                + " "
                + source
                + " group by k, concat(s, 'x')"
                + having
                + ")";
      };
    }

    private String columns(String a, String b) {
      return IntStream.range(0, 4)
          .mapToObj(it -> (random.nextBoolean() ? a : b) + "." + "kisv".charAt(it))
          .collect(Collectors.joining(", "));
    }

    private String condition(String a, String b) {
      String key = KEYS.get(random.nextInt(KEYS.size()));
      String equal = String.format("%s.%s = %s.%s", a, key, b, key);
      return switch (random.nextInt(5)) {
        case 0 -> equal + String.format(" and %s.i = %s.i", a, b);
        case 1 -> equal + String.format(" and %s.v < %s.v", a, b);
        case 2 -> equal.replace("=", "<=>");
        default -> equal;
      };
    }
  }
}
