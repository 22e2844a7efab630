package io.mooring.spark.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.mooring.testing.Interpreted;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What Mooring cannot serve stays with Spark when the query is planned, and EXPLAIN tells why. */
@Tag("extended")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KeptRelationsTest {
  private static final String CHECKPOINT = "spark.sql.streaming.checkpointLocation";

  @TempDir static Path folder;
  private SparkSession spark;
  private String nested;

  @BeforeAll
  void start() {
    spark = Sessions.transparent(folder.resolve("warehouse"), Interpreted.COMPILED);
    nested = folder.resolve("nested").toString();
    spark
        .range(100)
        .selectExpr("id", "interval '1' day * id as span", "cast(id as string) as s")
        .write()
        .parquet(nested);
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  private WithAndWithout run(String sql) {
    return WithAndWithout.run(spark, sql.replace("NESTED", "parquet.`" + nested + "`"));
  }

  @Test
  void aTypeThatTheGpuLacksCountsOnlyWhereItIsRead() {
    run("select * from NESTED").assertSparks("column span has type INTERVAL DAY TO SECOND");
    run("select count(span) from NESTED where id > 3").assertSparks("column span has type");
    run("select id, s from NESTED where id > 3").assertOurs();
    run("select count(*), max(id) from NESTED").assertOurs();
  }

  @Test
  void aLongTypeIsShortened() {
    String path = folder.resolve("wide").toString();
    String fields =
        IntStream.range(0, 100)
            .mapToObj(i -> "'f" + i + "', interval '1' day")
            .collect(Collectors.joining(", "));
    spark.range(3).selectExpr("map(id, named_struct(" + fields + ")) as m").write().parquet(path);
    String plan = spark.read().parquet(path).queryExecution().executedPlan().toString();
    assertThat(plan)
        .containsPattern("not Mooring: column m has type MAP<BIGINT, [^)]{1,60}\\.\\.\\.\\)");
  }

  /** Spark reads some fields of a variant as a struct, which is no struct of the files. */
  @Test
  void variantsStayWithSpark() {
    assumeThat(spark.version()).as("the first Spark with variants").isGreaterThanOrEqualTo("4.0");
    String path = folder.resolve("variants").toString();
    spark.sql("select id, parse_json('{\"a\": 1}') v from range(9)").write().parquet(path);
    String table = "parquet.`" + path + "`";
    run("select v from " + table).assertSparks("column v has type VARIANT");
    run("select sum(variant_get(v, '$.a', 'int')) from " + table + " where id > 3")
        .assertSparks("column v has type VARIANT");
  }

  @Test
  void everyFormOfExplainTellsTheReason() {
    for (String mode : List.of("simple", "extended", "codegen", "cost", "formatted")) {
      Dataset<Row> explained =
          spark.sql(
              "explain "
                  + mode.replace("simple", "")
                  + " select span from parquet.`"
                  + nested
                  + "`");
      assertThat(explained.first().getString(0))
          .as(mode)
          .contains("Scan parquet (not Mooring: column span has type INTERVAL DAY TO SECOND)");
    }
  }

  @Test
  void metadataOfSplitsStaysWithSpark() {
    run("select id, _metadata.file_name, _metadata.file_block_length from NESTED")
        .assertSparks("the query asks for _metadata");
    run("select count(*) from NESTED where _metadata.file_block_start > 10")
        .assertSparks("the query asks for _metadata");
  }

  @Test
  void aBucketedTableIsOursWhereBucketsDoNotHelp() {
    spark.sql(
        "create table bucketed using parquet clustered by (k) sorted by (k) into 4 buckets as"
            + " select id as k, id % 7 as v from range(1000)");
    String reason = "the query uses the columns that the table is bucketed by";
    Sessions.with(
        spark,
        "spark.sql.autoBroadcastJoinThreshold",
        "-1",
        () ->
            run("select sum(a.v) from bucketed a join bucketed b on a.k = b.k")
                .assertSparks(reason)
                .assertEqualCounts("Exchange"));
    run("select k, count(*) from bucketed group by k").assertSparks(reason);
    run("select k, count(*) from bucketed where k > 17 group by k").assertSparks(reason);
    run("select k, v from bucketed where k = 17").assertOurs();
    run("select v, count(*), max(k) from bucketed group by v").assertOurs();
    Sessions.with(
        spark,
        "spark.sql.sources.bucketing.enabled",
        "false",
        () -> run("select k, count(*) from bucketed group by k").assertOurs());
  }

  @Test
  void withoutBatchesThereIsNothingForTheGpu() {
    Sessions.with(
        spark,
        "spark.sql.parquet.enableVectorizedReader",
        "false",
        () -> run("select id from NESTED").assertSparks("Spark has no batches"));
  }

  @Test
  void aStreamReadsAndWritesAsItDoesWithSpark() throws Exception {
    String out = folder.resolve("stream-out").toString();
    StructType schema = spark.read().parquet(nested).schema();
    spark.conf().set(CHECKPOINT, folder.resolve("checkpoint").toString());
    StreamingQuery query =
        spark.readStream().schema(schema).parquet(nested).select("id").writeStream().start(out);
    try {
      query.processAllAvailable();
      assertThat(query.lastProgress().sources()[0].numInputRows()).isEqualTo(100);
    } finally {
      query.stop();
      spark.conf().unset(CHECKPOINT);
    }
    WithAndWithout both = WithAndWithout.run(spark, () -> spark.read().parquet(out)).assertOurs();
    assertThat(both.ours().count()).isEqualTo(100);
  }
}
