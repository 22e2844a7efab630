package io.mooring.stage.replicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.mooring.testing.Interpreted;
import io.mooring.testing.RandomCases;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
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
    assertThat(replicated).isGreaterThan(CASES);
  }
}
