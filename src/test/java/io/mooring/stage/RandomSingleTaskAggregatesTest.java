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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
}
