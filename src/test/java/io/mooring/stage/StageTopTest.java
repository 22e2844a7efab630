package io.mooring.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.Matrix;
import io.mooring.testing.Plans;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sorts with a limit above scans: a task gives its first rows alone. */
class StageTopTest {
  private static final int ROWS = 20_000;
  private static final int FILES = 4;

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = Sessions.transparent(folder.resolve("warehouse"), Map.of());
    String path = folder.resolve("hits").toString();
    spark
        .range(0, ROWS, 1, FILES)
        .selectExpr(
            "id",
            "if(id % 7 = 0, null, cast(hash(id) % 500 as int)) width",
            "if(id % 11 = 0, null, concat('phrase ', hash(id, 1) % 3000)) phrase",
            "timestamp_seconds(1372636800 + hash(id, 2) % 100000) time",
            "date_add(date'2013-07-01', cast(id % 31 as int)) date",
            "cast(hash(id, 3) % 100000 as decimal(12,2)) price",
            "case when id % 13 = 0 then null when id % 17 = 0 then double('NaN') when id % 19 = 0 then"
                + " double('-0') when id % 23 = 0 then double('inf') else hash(id, 4) % 700 / 8D end weight",
            "cast(id % 40 as int) region")
        .write()
        .option("parquet.block.row.count.limit", 1000)
        .parquet(path);
    spark.read().parquet(path).createOrReplaceTempView("hits");
    String regions = folder.resolve("regions").toString();
    spark
        .range(30)
        .selectExpr("cast(id as int) region", "concat('r', id % 9) name")
        .write()
        .parquet(regions);
    spark.read().parquet(regions).createOrReplaceTempView("regions");
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  private static Dataset<Row> staged(String query) {
    WithAndWithout both = WithAndWithout.run(spark, query);
    Dataset<Row> ours = both.ours();
    Stages.assertOnGpuAlone(ours);
    assertThat(Stages.of(ours))
        .as(() -> ours.queryExecution().toString())
        .anyMatch(stage -> stage.simpleString(1000).contains("LocalLimit"));
    assertThat(Plans.count(ours, "TakeOrderedAndProject")).isEqualTo(1);
    return ours;
  }

  @Tag("matrix")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select phrase, id from hits order by time, id limit 10",
        "select id from hits where phrase <> '' order by phrase desc, id limit 25",
        "select * from hits where width > 100 order by price desc nulls last, id desc limit 7",
        "select id, width from hits order by width nulls last, phrase desc nulls first, id limit 40",
        "select id + 1 next, upper(phrase) from hits where width is null order by -id limit 12",
        "select date, id from hits order by date desc, id limit 10 offset 5",
        "select id, weight from hits where weight > 0 order by id limit 3",
        "select h.id, r.name from hits h join regions r on h.region = r.region"
            + " order by r.name desc, h.id limit 20",
        "select id from hits where width * 2 = 12345 order by id limit 5",
        "select id from hits order by id limit 60000",
        "select id, weight from hits order by weight, id limit 3000",
        "select id, weight from hits order by weight desc, id limit 3000",
        "select id, weight from hits order by float(weight) nulls last, id limit 11000",
        "select id, round(weight, 2) w from hits where not isnan(weight) and abs(weight) < 100 order by w desc"
            + " nulls last, id limit 9000",
        "select count(*), max(id) from (select id from hits order by time desc, id limit 100)"
      })
  void rowsAreSparks(String query) {
    for (String adaptive : Matrix.both(query)) {
      Sessions.with(spark, "spark.sql.adaptive.enabled", adaptive, () -> staged(query));
    }
  }

  /** Tasks give no more rows than the limit each. */
  @RequiresGpu
  @Test
  void tasksGiveTheirFirstRowsAlone() {
    Dataset<Row> ours =
        staged("select id, phrase from hits where width > 0 order by id desc limit 9");
    long tasks = ours.rdd().getNumPartitions();
    assertThat(Stages.metric(ours, "stageRowsIn")).isGreaterThan(1000);
    assertThat(Stages.metric(ours, "stageRowsOut")).isBetween(9L, 9 * (long) FILES * FILES);
    assertThat(tasks).isPositive();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select id from hits order by cast(phrase as binary), id limit 10",
        "select id from hits order by initcap(phrase), id limit 10",
        "select id from hits order by id limit 100000"
      })
  void whatTheGpuDoesNotOrderIsSparks(String query) {
    WithAndWithout both = WithAndWithout.run(spark, query);
    assertThat(Stages.of(both.ours()))
        .noneMatch(stage -> stage.simpleString(1000).contains("LocalLimit"));
  }

  @Tag("random")
  @ParameterizedTest
  @MethodSource("io.mooring.testing.RandomCases#rounds")
  void randomOrdersAreSparks(int round) {
    Random random = new Random();
    List<String> keys =
        new ArrayList<>(List.of("width", "phrase", "time", "date", "price", "weight"));
    List<String> order = new ArrayList<>();
    while (order.size() < 3) {
      String key = keys.remove(random.nextInt(keys.size()));
      String direction = random.nextBoolean() ? " asc" : " desc";
      String nulls = random.nextBoolean() ? " nulls first" : " nulls last";
      order.add(key + direction + nulls);
    }
    staged(
        "select id, width, phrase from hits where id %% %d <> 1 order by %s, id limit %d"
            .formatted(2 + random.nextInt(5), String.join(", ", order), 1 + random.nextInt(3000)));
  }
}
