package io.mooring.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Unions below operators of stages, with a GPU and without. */
class StageUnionsTest {
  private static final String ADAPTIVE = "spark.sql.adaptive.enabled";
  private static final String SALES =
      "(select item, price, day from store union all select item, price * 2, day from web)";

  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = Sessions.transparent(folder.resolve("warehouse"), Map.of());
    write("store", 5000, 2, "if(id % 11 = 0, null, cast(id % 130 as int))");
    write("web", 3000, 3, "cast(id % 90 as int)");
    save(
        "items",
        spark
            .range(100)
            .selectExpr("cast(id as int) item", "concat('n', id % 9) name", "id % 3 = 0 kept"));
    save("parts", spark.range(2000).selectExpr("id v", "cast(id % 10 as int) part"), "part");
    spark.range(50).selectExpr("cast(id as int) item", "id nr").createOrReplaceTempView("ranged");
  }

  private static void write(String table, int rows, int files, String item) {
    save(
        table,
        spark
            .range(0, rows, 1, files)
            .selectExpr(
                "id",
                item + " item",
                "cast(id * 13 % 10007 as decimal(12,2)) price",
                "date_add(date'2020-01-01', cast(id % 400 as int)) day",
                "concat('t', id % 23) text"));
  }

  private static void save(String table, Dataset<Row> rows, String... partitions) {
    String path = folder.resolve(table).toString();
    rows.write().partitionBy(partitions).parquet(path);
    spark.read().parquet(path).createOrReplaceTempView(table);
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  private static void inEachWay(Runnable work) {
    for (String adaptive : List.of("true", "false")) {
      Sessions.with(spark, Map.of(ADAPTIVE, adaptive, "spark.mooring.sql.pushdown", "never"), work);
    }
  }

  private static Dataset<Row> ours(String query) {
    Dataset<Row> ours = WithAndWithout.run(spark, query).ours();
    System.out.println(ours.queryExecution().executedPlan());
    return ours;
  }

  private static String text(MooringStageExec stage) {
    return stage.simpleString(1000);
  }

  @Test
  void anAggregateOfAUnionIsInAStageOfEachChild() {
    String query =
        "select i.name, sum(s.price), count(*) from "
            + SALES
            + " s join items i on s.item = i.item where i.kept group by i.name";
    inEachWay(
        () -> {
          List<MooringStageExec> stages = Stages.of(ours(query));
          assertThat(stages.stream().filter(it -> text(it).contains("HashAggregate] over")))
              .hasSize(2)
              .allSatisfy(it -> assertThat(text(it)).contains("BroadcastHashJoin"));
        });
  }
}
