package io.mooring.datasource;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks that read two partitions of one scan, or one partition twice, in turns. */
class InterleavedReadersTest {
  private static final int ROWS = 6_000;

  @TempDir static Path folder;
  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark =
        Sessions.transparent(
            folder.resolve("warehouse"), Map.of("spark.mooring.pinnedPool.size", "64m"));
    String path = folder.resolve("t").toString();
    spark
        .range(0, ROWS, 1, 3)
        .selectExpr("id", "array(id) a", "concat('text ', id) s")
        .write()
        .option("parquet.block.row.count.limit", 500)
        .parquet(path);
    spark.read().parquet(path).createOrReplaceTempView("t");
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select id from t",
        "select id, a, s from t where id >= 0",
        "select id * 1 id, s from t where id % 1 = 0 and length(s) > 1",
        "select id, id * 3 n from t where id > -5 order by id"
      })
  void zipAndCartesian_ofOneScan_readBothInTurns(String query) {
    JavaRDD<Long> ids = spark.sql(query).toJavaRDD().map(row -> row.getLong(0));
    List<Long> differences = ids.zip(ids.map(id -> 2 * id)).map(it -> it._2() - it._1()).collect();
    assertThat(differences).hasSize(ROWS).containsExactlyElementsOf(ids.collect());
    JavaRDD<Long> few = ids.filter(id -> id % 300 == 0);
    assertThat(few.cartesian(few).map(it -> it._1() - it._2()).collect())
        .hasSize(ROWS / 300 * (ROWS / 300))
        .contains(0L, 300L, -300L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"select id from t", "select id from t where id % 2 = 0"})
  void partsOfPartitions_inOneTask_areReadOneAfterTheOther(String query) {
    JavaRDD<Row> rows = spark.sql(query).toJavaRDD();
    long parts = rows.getNumPartitions();
    assertThat(
            rows.mapPartitions(
                    part -> {
                      assertThat(part.hasNext()).isTrue();
                      return List.of(part.next().getLong(0)).iterator();
                    })
                .coalesce(1)
                .collect())
        .hasSize((int) parts)
        .doesNotHaveDuplicates();
  }
}
