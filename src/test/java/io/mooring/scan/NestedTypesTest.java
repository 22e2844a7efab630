package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.datasource.PlannedScan;
import io.mooring.scan.plan.FilePlan;
import io.mooring.testing.ForeignLists;
import io.mooring.testing.RandomNested;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Structs, arrays and maps in each other and in every layout: all values are those that Spark's
 * reader gives, and where there is a GPU, it read them.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NestedTypesTest {
  private static final int ROWS = 400;
  // In version 2 in an encoding that is left to Spark's reader.
  private static final String FIXED_LENGTH = "DECIMAL(38,10)";

  @TempDir static Path folder;
  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);
  private SparkSession spark;
  private int tables;
  private Path people;

  @BeforeAll
  void start() {
    System.out.println("NestedTypesTest seed " + seed);
    spark = Sessions.withPlugin(2, Map.of("spark.mooring.pinnedPool.size", "256m"));
    people = people();
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  private Path next() {
    return folder.resolve("t" + tables++);
  }

  private Path written(StructType schema, List<Row> rows, boolean legacy, String version) {
    Path table = next();
    spark.conf().set("spark.sql.parquet.writeLegacyFormat", legacy);
    spark
        .createDataFrame(rows, schema)
        .repartition(2)
        .write()
        .option("parquet.block.row.count.limit", 1 + random.nextInt(ROWS))
        .option("parquet.page.row.count.limit", 1 + random.nextInt(ROWS))
        .option("parquet.enable.dictionary", random.nextBoolean())
        .option("parquet.writer.version", version)
        .parquet(table.toString());
    return table;
  }

  private Dataset<Row> ours(Path table) {
    return spark.read().format("mooring").load(table.toString());
  }

  private Dataset<Row> sparks(Path table) {
    return spark.read().parquet(table.toString());
  }

  private static void assertSame(Dataset<Row> ours, Dataset<Row> sparks) {
    ScanResults.assertSame(ours, sparks);
    ScanResults.assertReadByGpuAlone(ours);
  }

  private void randomTable(boolean legacy, String version) {
    // Compiled queries read columns in other ways than interpreted ones.
    spark.conf().set("spark.sql.codegen.wholeStage", random.nextBoolean());
    RandomNested nested = new RandomNested(random.nextLong());
    StructType schema = nested.schema(3, 3);
    while (version.equals("v2") && schema.sql().contains(FIXED_LENGTH)) {
      schema = nested.schema(3, 3);
    }
    Path table = written(schema, nested.rows(schema, ROWS), legacy, version);
    assertSame(ours(table), sparks(table));
    assertSame(ours(table).where("id > 0"), sparks(table).where("id > 0"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1", "v2"})
  void everyValueIsTheOneWritten(String version) {
    randomTable(false, version);
  }

  @Test
  void everyValueIsTheOneWrittenInSparksOldLayout() {
    randomTable(true, "v1");
  }

  @Test
  void everyLayoutOfListsAndMapsIsRead() throws Exception {
    Path file = next();
    new ForeignLists(random.nextLong()).write(file, ForeignLists.LAYOUTS, ROWS);
    assertSame(ours(file), sparks(file));
  }

  private Path people() {
    Path table = next();
    spark
        .range(ROWS)
        .selectExpr(
            "id",
            "if(id % 7 = 0, null, named_struct('Name', concat('n', id), 'age', cast(id as int),"
                + " 'home', named_struct('street', cast(id as string), 'Zip', id))) as person",
            "transform(sequence(0, id % 5), x -> named_struct('k', x, 'v', id * x)) as pairs",
            "named_struct('paid', cast(id * 1000 as decimal(9,2)), 'at',"
                + " timestamp_seconds(978307200 + id - 200)) as money",
            "map('one', named_struct('a', id, 'b', cast(id as double))) as byName")
        .repartition(2)
        .write()
        .parquet(table.toString());
    return table;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "person.name",
        "person.age, person.home.street",
        "byName['one'].b",
        "pairs[0].k, person.home"
      })
  void onlyTheLeavesThatAreReadAreRead(String columns) throws Exception {
    Dataset<Row> ours = ours(people).selectExpr(columns.split(", "));
    assertSame(ours, sparks(people).selectExpr(columns.split(", ")));
    for (FilePlan plan : PlannedScan.of(ours).plans()) {
      assertThat(plan.columns().leaves()).hasSizeLessThan(4);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "person.age > 200 and id < 390",
        "person.home.zip = 17 or person is null",
        "pairs[0].v is null or byName['one'].a = 3",
        "money.paid > 123456.78",
        "money.at > timestamp'2001-01-01 00:00:00.0005'"
      })
  void filtersOfPartsOfNestedColumnsStayWithSpark(String condition) {
    assertSame(ours(people).where(condition), sparks(people).where(condition));
    assertSame(
        ours(people).where(condition).select("id"), sparks(people).where(condition).select("id"));
  }

  @Test
  void withoutBatchesOfSparksReaderItReadsRows() {
    Sessions.with(
        spark,
        "spark.sql.parquet.enableNestedColumnVectorizedReader",
        "false",
        () -> {
          Dataset<Row> ours = ours(people);
          ScanResults.assertSame(ours, sparks(people));
          assertThat(ScanResults.metric(ours, "gpuFiles")).isZero();
        });
  }

  @Test
  void fieldsThatAFileLacksAreNull() {
    String schema =
        "id bigint, later array<int>,"
            + " person struct<more:array<string>,age:int,home:struct<zip:bigint,city:string>>,"
            + " pairs array<struct<w:double,v:bigint>>, byName map<string,struct<c:int,a:bigint>>";
    assertSame(
        spark.read().schema(schema).format("mooring").load(people.toString()),
        spark.read().schema(schema).parquet(people.toString()));
  }
}
