package io.mooring.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.mooring.testing.Plans;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.MetadataBuilder;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plain tables whose columns are found in files by field ids, as Spark's reader finds them. */
@Tag("extended")
class FieldIdsTest {
  private static final String READ = "spark.sql.parquet.fieldId.read.enabled";
  private static final String IGNORE_MISSING = "spark.sql.parquet.fieldId.read.ignoreMissing";
  private static final String VIEW = "rows_by_id";
  private static final StructType PAIR =
      column(column(new StructType(), "x", 5, "bigint"), "y", 6, "string");

  @TempDir static Path folder;
  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = Sessions.transparent(folder.resolve("warehouse"), Map.of(READ, "true"));
    StructType schema = column(new StructType(), "a", 1, "bigint");
    schema = column(column(schema, "b", 2, "bigint"), "s", 3, "string");
    write(
        "rows",
        schema.add("n", PAIR, true, id(4)).add("l", DataTypes.createArrayType(PAIR), true, id(7)),
        "id as a",
        "id + 5000 as b",
        "concat('text ', id % 100) as s",
        "if(id % 7 = 0, null, struct(id as x, string(id) as y)) as n",
        "array(struct(id as x, string(-id) as y), null) as l");
    write("without", new StructType().add("a", "bigint"), "id as a");
    write(
        "twice", column(column(new StructType(), "a", 1, "bigint"), "b", 1, "bigint"), "id", "id");
    write(
        "nested",
        new StructType().add("n", new StructType().add("x", "bigint")),
        "struct(id as x) as n");
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  private static void write(String name, StructType schema, String... columns) {
    Dataset<Row> rows = spark.range(0, 1000, 1, 2).selectExpr(columns);
    spark
        .createDataFrame(rows.toJavaRDD(), schema)
        .write()
        .option("parquet.block.row.count.limit", "100")
        .parquet(folder.resolve(name).toString());
  }

  private static Metadata id(int id) {
    return new MetadataBuilder().putLong("parquet.field.id", id).build();
  }

  private static StructType column(StructType before, String name, int id, String type) {
    return before.add(name, DataType.fromDDL(type), true, id(id));
  }

  private static Dataset<Row> query(String name, StructType schema, String query) {
    spark
        .read()
        .schema(schema)
        .parquet(folder.resolve(name).toString())
        .createOrReplaceTempView(VIEW);
    return spark.sql(query);
  }

  private static WithAndWithout run(String name, StructType schema, String query) {
    return WithAndWithout.run(spark, () -> query(name, schema, query)).assertOurs();
  }

  /** Columns that the GPU is told to decode are the right ones, and it reads all of them. */
  private static void assertOurs(String name, StructType schema, String... queries) {
    for (String query : queries) {
      ScanResults.assertReadByGpuAlone(run(name, schema, query).ours());
      // Without sub-queries and aggregates, what is planned is known.
      assertThat(PlannedRows.check(spark, query, VIEW)).as(query).isEmpty();
    }
  }

  @Test
  void columnsUnderOtherNames() {
    StructType schema = column(column(new StructType(), "late", 3, "string"), "A", 1, "bigint");
    assertOurs(
        "rows",
        schema,
        "select * from rows_by_id",
        "select late from rows_by_id where A between 120 and 130",
        "select A from rows_by_id where late = 'text 17' and A > 300");
    run("rows", schema, "select late, count(*), sum(A) from rows_by_id where A > 40 group by late");
    run("rows", schema, "select max(late), min(A), count(late) from rows_by_id");
  }

  /** Spark's reader prunes by the columns of these names, and so leaves out rows. */
  @Test
  void namesThatOtherColumnsOfTheFilesHave() {
    StructType schema = column(column(new StructType(), "b", 1, "bigint"), "a", 2, "bigint");
    ScanResults.assertReadByGpuAlone(run("rows", schema, "select * from rows_by_id").ours());
    assertRows(schema, "select a from rows_by_id where a % 10 = 3", "id + 5000", "id % 10 = 3");
    assertRows(schema, "select b, a from rows_by_id where b < 20", "id, id + 5000", "id < 20");
    assertRows(schema, "select sum(a), max(b) from rows_by_id", "sum(id + 5000), max(id)", "true");
    assertRows(
        schema,
        "select t.a from rows_by_id t join (select b from rows_by_id where b % 50 = 0) u on t.b = u.b",
        "id + 5000",
        "id % 50 = 0");
    StructType lacking = column(column(new StructType(), "a", 9, "bigint"), "s", 1, "bigint");
    assertRows(lacking, "select s from rows_by_id where a is null and s < 10", "id", "id < 10");
  }

  private static void assertRows(
      StructType schema, String query, String expected, String condition) {
    Dataset<Row> ours = query("rows", schema, query);
    assertThat(ScanResults.rows(ours))
        .as(query)
        .isEqualTo(
            ScanResults.rows(
                spark.sql("select " + expected + " from range(1000) where " + condition)));
    assertThat(Plans.ours(ours)).isNotEmpty();
    assertThat(Plans.sparks(ours)).isEmpty();
    ScanResults.assertReadByGpuAlone(ours);
  }

  @Test
  void columnsThatFilesLack() {
    StructType schema = column(column(new StructType(), "none", 9, "bigint"), "k", 1, "bigint");
    assertOurs(
        "rows",
        schema,
        "select * from rows_by_id",
        "select k from rows_by_id where none is null and k < 10");
    // Without an id a column is found by its name, also beside one that has an id.
    StructType mixed = column(new StructType().add("s", "string"), "renamed", 2, "bigint");
    assertOurs(
        "rows",
        mixed,
        "select * from rows_by_id",
        "select s, renamed from rows_by_id where s > 'text 9'");
  }

  @Test
  void fieldsOfStructs() {
    StructType pair = column(column(new StructType(), "u", 5, "bigint"), "v", 6, "string");
    StructType wider = column(pair, "w", 8, "int");
    StructType schema =
        new StructType()
            .add("other", wider, true, id(4))
            .add("list", DataTypes.createArrayType(wider), true, id(7));
    assertOurs(
        "rows",
        schema,
        "select * from rows_by_id",
        "select other.u, other from rows_by_id where other.v like '%5'",
        "select list from rows_by_id where other is not null");
    run("rows", schema, "select other.v, list.u from rows_by_id where other.u < 100");
    run("rows", schema, "select sum(other.u), count(other.w) from rows_by_id");
  }

  @Test
  void filesWithoutIds() {
    StructType schema = column(new StructType(), "a", 1, "bigint");
    assertEqualFailures("without", schema);
    Sessions.with(
        spark,
        IGNORE_MISSING,
        "true",
        () -> run("without", schema, "select a, count(*) from rows_by_id" + " group by a"));
    StructType inner = new StructType().add("n", column(new StructType(), "x", 1, "bigint"));
    assertEqualFailures("nested", inner);
  }

  @Test
  void anIdOfTwoColumns() {
    assertEqualFailures("twice", column(new StructType(), "a", 1, "bigint"));
  }

  private static void assertEqualFailures(String name, StructType schema) {
    Throwable ours =
        catchThrowable(() -> query(name, schema, "select * from rows_by_id").collectAsList());
    Throwable sparks =
        Sessions.with(
            spark,
            "spark.mooring.sql.enabled",
            "false",
            () ->
                catchThrowable(
                    () -> query(name, schema, "select * from rows_by_id").collectAsList()));
    assertThat(root(ours)).isEqualTo(root(sparks)).contains("ield");
  }

  private static String root(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return String.valueOf(cause.getMessage());
  }

  @Test
  void namesHoldWhereIdsAreNotAskedFor() {
    StructType schema = column(column(new StructType(), "b", 1, "bigint"), "a", 2, "bigint");
    Sessions.with(
        spark,
        READ,
        "false",
        () -> {
          ScanResults.assertReadByGpuAlone(
              run("rows", schema, "select a, b from rows_by_id").ours());
          run("rows", schema, "select a from rows_by_id where b > 5900");
        });
  }

  @Test
  void tablesOfTheCatalog() {
    query("rows", column(column(new StructType(), "a", 2, "bigint"), "k", 1, "bigint"), "select 1");
    spark.sql(
        "create table kept using parquet partitioned by (p) as select *, k % 3 as p from rows_by_id");
    spark.sql("insert into kept select -a, k, p from kept where p > 0");
    run("rows", PAIR, "select * from kept where p = 1 and a > 5300");
  }
}
