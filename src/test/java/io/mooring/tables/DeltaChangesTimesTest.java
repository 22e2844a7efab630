package io.mooring.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.RequiresGpu;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Times of statements that change a table of Delta Lake with deletion vectors, with Mooring and
 * with Delta Lake's own reader, in turns on two tables of equal rows. It prints medians in seconds
 * and the fastest and slowest round. The property is the number of rows, 30 million for figures.
 */
@Tag("tables")
@RequiresGpu
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@EnabledIfSystemProperty(named = "mooring.test.delta.changes", matches = ".+")
class DeltaChangesTimesTest {
  private static final long ROWS = Long.getLong("mooring.test.delta.changes", 0);
  private static final int ROUNDS = 5;
  private static final List<String> TABLES = List.of("ours", "theirs");
  private static final List<String> STATEMENTS =
      List.of(
          "delete from %s where l %% 5003 = %d",
          "delete from %s where s1 like '%%9%d7%%' and k < 40",
          "update %s set v = v + 1 where k = %d and d < date'2021-01-01'",
          "merge into %s t using (select distinct id + %d id, k from source) s on t.id = s.id"
              + " when matched then update set k = s.k"
              + " when not matched then insert (id, k) values (s.id, s.k)");

  @TempDir static Path folder;
  private SparkSession spark;

  @BeforeAll
  void start() {
    spark = DeltaSessions.start(folder.resolve("warehouse"), FormatTables.settingsForFigures());
    for (String table : TABLES) {
      spark.sql(
          String.format(
              "create table %s using delta tblproperties ('delta.enableDeletionVectors' = 'true') as"
                  + " select id, int(id * 7919 %% 1000) k,"
                  + " cast((id * 31 %% 1000000) / 100 as decimal(12, 2)) v,"
                  + " date'2020-01-01' + int(id * 13 %% 2000) d,"
                  + " concat('customer ', id * 17 %% 100000) s1, concat('city ', id * 5 %% 977) s2,"
                  + " md5(string(id)) s3, double(id %% 10007) / 7 x, id * 3 %% 1000003 l"
                  + " from range(0, %d, 1, 16)",
              table, ROWS));
    }
    spark.sql(
        String.format(
            "create table source using parquet as select id * 4001 %% %d id, int(id) k"
                + " from range(0, 10000, 1, 1)",
            ROWS * 2));
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  @Test
  void statementsAreFasterThanWithTheOwnReader() {
    for (String statement : STATEMENTS) {
      double[] ours = new double[ROUNDS];
      double[] theirs = new double[ROUNDS];
      for (int round = -1; round < ROUNDS; round++) {
        double mine = seconds(true, String.format(statement, TABLES.get(0), round + 3));
        double own = seconds(false, String.format(statement, TABLES.get(1), round + 3));
        if (round >= 0) {
          ours[round] = mine;
          theirs[round] = own;
        }
      }
      Arrays.sort(ours);
      Arrays.sort(theirs);
      System.out.printf("%s: mooring %s, own reader %s%n", statement, of(ours), of(theirs));
      assertThat(ours[ROUNDS / 2]).isLessThan(theirs[ROUNDS / 2]);
    }
    assertThat(sums(TABLES.get(0))).isEqualTo(sums(TABLES.get(1)));
  }

  private double seconds(boolean mooring, String statement) {
    return Sessions.with(
        spark,
        "spark.mooring.sql.enabled",
        String.valueOf(mooring),
        () -> {
          long start = System.nanoTime();
          spark.sql(statement).collectAsList();
          return (System.nanoTime() - start) / 1e9;
        });
  }

  private static String of(double[] sorted) {
    return String.format("%.2f (%.2f to %.2f)", sorted[ROUNDS / 2], sorted[0], sorted[ROUNDS - 1]);
  }

  private Row sums(String table) {
    String sql =
        "select count(*), sum(id), sum(k), sum(v), sum(hash(id, k, v, d, s1, s2, s3)) from ";
    return Sessions.with(
        spark, "spark.mooring.sql.enabled", "false", () -> spark.sql(sql + table).first());
  }
}
