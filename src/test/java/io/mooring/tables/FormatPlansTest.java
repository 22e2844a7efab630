package io.mooring.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.stage.replicated.BuildSize;
import io.mooring.stage.replicated.ReplicatedExec;
import io.mooring.testing.Plans;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Queries over tables of Delta Lake and of Iceberg have the plans that they have over Parquet. */
@Tag("tables")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FormatPlansTest {
  private static final List<String> QUERIES =
      List.of(
          // A stage, and its aggregate in one task.
          "select item % 5, sum(qty), max(price) from sales where qty > 3 group by 1",
          // Joins without an exchange, in an order that reordering would not change.
          "select brand, month, sum(price) s from sales join days on day = d_id"
              + " join items on item = i_id where month < 7 group by brand, month"
              + " order by s desc, brand, month limit 10",
          "select count(*) from sales left join items on item = i_id and qty > i_id",
          "select id from sales where item in (select i_id from items where brand = 'brand 3')",
          // Groups as a build side.
          "select brand, most from items join (select item, max(qty) most from sales group by item)"
              + " on item = i_id",
          "select month, count(*) from (select day from sales where qty < 3 union all"
              + " select day from sales where qty > 8) join days on day = d_id group by month",
          // Pruning of partitions by a join.
          "select sum(price) from sales join days on day = d_id where month = 2 and d_id < 40",
          merged(
              "avg(price) from sales where qty between 1 and 3",
              "count(price) from sales where qty between 4 and 6",
              "sum(price) from sales where qty between 7 and 9"),
          merged(
              "count(price) from sales where brand_of = 'b1'",
              "max(price) from sales where brand_of = 'b2' or brand_of is null"));

  @TempDir static Path folder;
  private SparkSession spark;

  @BeforeAll
  void start() {
    spark =
        FormatTables.start(
            folder.resolve("warehouse"),
            Map.of(
                "spark.sql.autoBroadcastJoinThreshold", "-1",
                "spark.sql.adaptive.autoBroadcastJoinThreshold", "-1"));
    Sessions.with(spark, "spark.mooring.sql.enabled", "false", this::write);
  }

  private void write() {
    for (FormatTables format : FormatTables.values()) {
      format.write(
          spark,
          "sales",
          spark
              .range(0, 6000, 1, 1)
              .selectExpr(
                  "id",
                  "int(id * 7919 % 40) item",
                  "int(id % 10) qty",
                  "if(id % 11 = 5, null, concat('b', id % 4)) brand_of",
                  "cast(id * 31 % 9973 / 100 as decimal(7, 2)) price",
                  "int(id / 1500) day")
              .repartition(1),
          "day");
      format.write(
          spark,
          "items",
          spark.range(0, 50, 1, 1).selectExpr("int(id) i_id", "concat('brand ', id % 7) brand"));
      format.write(
          spark,
          "days",
          spark.range(0, 300, 1, 1).selectExpr("int(id) d_id", "int(id / 30) month"));
      if (format.hasDeletes()) {
        format.use(spark, () -> spark.sql("delete from sales where id % 17 = 3"));
        format.use(spark, () -> spark.sql("delete from items where i_id = 11"));
      }
    }
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  private static String merged(String... subqueries) {
    return "select (select " + String.join("), (select ", subqueries) + ")";
  }

  @ParameterizedTest
  @EnumSource(FormatTables.class)
  void plansAreThoseOfParquet(FormatTables format) {
    for (String adaptive : List.of("false", "true")) {
      Sessions.with(
          spark,
          "spark.sql.adaptive.enabled",
          adaptive,
          () -> QUERIES.forEach(query -> assertPlanOfParquet(format, query)));
    }
  }

  /**
   * Joins of Iceberg stay as they are: it has chosen no files yet when Spark's optimizer orders
   * joins.
   */
  @ParameterizedTest
  @EnumSource(value = FormatTables.class, mode = EnumSource.Mode.MATCH_ANY, names = "DELTA.*")
  void joinsOfDeltaAreReordered(FormatTables format) {
    assertPlanOfParquet(
        format,
        "select brand, month, sum(price) from sales join items on item = i_id"
            + " join days on day = d_id where month < 7 group by brand, month");
  }

  private void assertPlanOfParquet(FormatTables format, String query) {
    Dataset<Row> parquet = FormatTables.PARQUET.use(spark, () -> executed(query));
    Dataset<Row> ours = format.use(spark, () -> WithAndWithout.run(spark, query).ours());
    assertThat(FormatTables.shape(ours))
        .as(format + ": " + query)
        .isEqualTo(FormatTables.shape(parquet));
    assertSizes(Plans.ours(ours), Plans.ours(parquet));
    assertRows(ours, parquet);
  }

  private Dataset<Row> executed(String query) {
    Dataset<Row> data = spark.sql(query);
    data.collectAsList();
    return data;
  }

  /** The bytes that scans are estimated to read are in the files, whatever the format. */
  private static void assertSizes(List<SparkPlan> scans, List<SparkPlan> parquets) {
    assertThat(scans).isNotEmpty().hasSameSizeAs(parquets);
    for (int i = 0; i < scans.size(); i++) {
      if (bytes(scans.get(i)) >= 0) {
        assertThat(bytes(scans.get(i)))
            .isCloseTo(bytes(parquets.get(i)), Percentage.withPercentage(60));
      }
    }
  }

  private static long bytes(SparkPlan scan) {
    return ((BatchScanExec) scan).scan() instanceof SupportsReportStatistics known
        ? known.estimateStatistics().sizeInBytes().getAsLong()
        : -1;
  }

  /** Iceberg knows the number of rows, which is estimated by bytes elsewhere. */
  private static void assertRows(Dataset<Row> ours, Dataset<Row> parquet) {
    List<BuildSize> sizes = buildSizes(ours);
    List<BuildSize> others = buildSizes(parquet);
    assertThat(sizes).hasSameSizeAs(others);
    IntStream.range(0, sizes.size())
        .forEach(
            i ->
                assertThat(sizes.get(i).rows())
                    .isBetween(others.get(i).rows() / 30, others.get(i).rows() * 30));
  }

  private static List<BuildSize> buildSizes(Dataset<Row> data) {
    return Plans.nodes(data, ReplicatedExec.class::isInstance).stream()
        .map(node -> (BuildSize) node.productElement(2))
        .toList();
  }

  @ParameterizedTest
  @EnumSource(FormatTables.class)
  void subqueriesAreReadAtOnce(FormatTables format) {
    assertThat(scans(format, QUERIES.get(QUERIES.size() - 2))).isEqualTo(1);
    assertThat(scans(format, QUERIES.get(QUERIES.size() - 1))).isEqualTo(1);
    // One prunes partitions.
    assertThat(
            scans(
                format,
                merged(
                    "sum(qty) from sales where day = 1 and qty > 2",
                    "sum(qty) from sales where day = 2 and qty > 3")))
        .isEqualTo(2);
    // What the formats know of the other conditions does not read another row.
    assertThat(
            scans(
                format,
                merged(
                    "sum(qty) from sales where day = 1 and qty > 2",
                    "max(qty) from sales where day = 1 and qty < 2")))
        .isEqualTo(format.name().startsWith("ICEBERG") ? 2 : 1);
  }

  /** The distinct scans of the table with most rows. */
  private int scans(FormatTables format, String query) {
    Dataset<Row> ours = format.use(spark, () -> WithAndWithout.run(spark, query).ours());
    return (int)
        Plans.ours(ours).stream()
            .filter(scan -> scan.simpleString(4000).contains("/sales"))
            .map(System::identityHashCode)
            .distinct()
            .count();
  }

  @ParameterizedTest
  @EnumSource(
      value = FormatTables.class,
      names = {"DELTA", "DELTA_VECTORS", "ICEBERG", "ICEBERG_DELETES"})
  void whatMetadataAnswersIsNotMerged(FormatTables format) {
    String query =
        merged(
            "count(*) from days",
            "max(d_id) from days where month > 3",
            "min(d_id) from days where month < 3");
    Dataset<Row> ours = format.use(spark, () -> WithAndWithout.run(spark, query).ours());
    assertThat(Plans.count(ours, "LocalTableScan")).isEqualTo(1);
    assertThat(Plans.ours(ours).stream().map(System::identityHashCode).distinct()).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(
      value = FormatTables.class,
      names = {"DELTA", "DELTA_VECTORS", "ICEBERG", "ICEBERG_DELETES"})
  void versionsAreNotMerged(FormatTables format) {
    Dataset<Row> rows = spark.range(0, 100, 1, 1).selectExpr("id", "id % 10 as part");
    format.write(spark, "versions", rows);
    String first =
        format
            .use(spark, () -> spark.sql(format.firstVersion("versions")))
            .first()
            .get(0)
            .toString();
    format.use(spark, () -> spark.sql("insert into versions select id + 100, 3 from range(50)"));
    String old = "versions version as of " + first;
    for (String query :
        List.of(
            merged(
                "sum(id) from versions where part > 2", "sum(id) from " + old + " where part < 5"),
            merged(
                "sum(id) from " + old + " where part > 2",
                "max(id) from " + old + " where part < 5"),
            merged(
                "sum(id) from versions where part > 2", "max(id) from versions where part < 5"))) {
      WithAndWithout both = format.use(spark, () -> WithAndWithout.run(spark, query));
      assertThat(Plans.ours(both.ours())).isNotEmpty();
    }
  }
}
