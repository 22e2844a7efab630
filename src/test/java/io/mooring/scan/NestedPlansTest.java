package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.datasource.PlannedScan;
import io.mooring.parquet.footer.UnreadableOnGpuException;
import io.mooring.scan.plan.FilePlan;
import io.mooring.scan.plan.ScanUnit;
import io.mooring.scan.task.ScanWork;
import io.mooring.testing.ForeignLists;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.parquet.hadoop.metadata.ColumnPath;
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
import org.junit.jupiter.params.provider.CsvSource;

/** What the decoder is given of nested columns, without a decoder: parquet-mr reads it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NestedPlansTest {
  private static final int ROWS = 200;
  private static final String PEOPLE =
      "optional group %s { optional group Home { optional int64 Zip; required double lat; }"
          + " optional group tags (LIST) { repeated group list { optional group element {"
          + " optional int32 A; optional binary b (UTF8); } } } }";

  @TempDir static Path folder;
  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);
  private SparkSession spark;
  private int files;

  @BeforeAll
  void start() {
    System.out.println("NestedPlansTest seed " + seed);
    spark = Sessions.withPlugin(1, Map.of("spark.mooring.pinnedPool.size", "64m"));
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  private Path written(List<String> layouts) throws Exception {
    Path file = folder.resolve("f" + files++);
    new ForeignLists(random.nextLong()).write(file, layouts, ROWS);
    return file;
  }

  private List<FilePlan> assertSame(Path file, StructType schema) throws Exception {
    Dataset<Row> ours = spark.read().schema(schema).format("mooring").load(file.toString());
    List<FilePlan> plans = PlannedScan.of(ours).plans();
    Dataset<Row> sparks = spark.read().schema(schema).parquet(file.toString());
    assertThat(new DecodedGroups(schema).rows(plans)).isEqualTo(ScanResults.rows(sparks));
    return plans;
  }

  @Test
  void everyLayoutIsDecodedByOne() throws Exception {
    Path file = written(ForeignLists.LAYOUTS);
    List<FilePlan> plans = assertSame(file, spark.read().parquet(file.toString()).schema());
    assertThat(plans.get(0).columns().read()).hasSize(ForeignLists.LAYOUTS.size() + 2);
  }

  private static Set<String> leaves(List<FilePlan> plans) {
    return plans.stream()
        .flatMap(plan -> plan.columns().leaves().stream())
        .map(ColumnPath::toDotString)
        .collect(Collectors.toSet());
  }

  @Test
  void fieldsComeInTheTablesOrderAndOnlyThose() throws Exception {
    Path file = written(List.of(PEOPLE));
    String type =
        "c0 struct<tags:array<struct<B:string,none:int>>,more:date,home:struct<LAT:double>>, id"
            + " bigint";
    List<FilePlan> plans = assertSame(file, StructType.fromDDL(type));
    assertThat(leaves(plans))
        .containsExactlyInAnyOrder("c0.tags.list.element.b", "c0.Home.lat", "id");
    long all =
        assertSame(file, spark.read().parquet(file.toString()).schema()).get(0).units().stream()
            .mapToLong(unit -> unit.encodedBytes())
            .sum();
    long some = plans.get(0).units().stream().mapToLong(unit -> unit.encodedBytes()).sum();
    assertThat(some).isLessThan(all);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "c0 struct<home:struct<nothing:int>>|struct c0.Home has none of the fields that are read",
        "c0 struct<home:struct<zip:int>>|column c0.Home.Zip is optional int64 Zip and is read as"
            + " INT",
        "c0 struct<home:bigint>|column c0.Home is optional group and is read as BIGINT",
        "c0 array<int>|column c0 is optional group and is read as ARRAY<INT>",
        "c0 map<int,int>|column c0 is optional group and is read as MAP<INT, INT>",
        "c0 struct<tags:struct<a:int>>|column c0.tags is optional group (LIST) and is read as"
            + " STRUCT",
        "c0 struct<tags:array<int>>|column c0.tags.list.element is optional group and is read as"
            + " INT"
      })
  void whatDoesNotFitIsSparks(String type, String reason) throws Exception {
    assertSparks(PEOPLE, type, reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "optional group %s (LIST) { repeated group item { optional int32 x; optional int32 y; } }"
            + "|c0 array<struct<y:int>>|column c0 is optional group (LIST)",
        "optional group %s { optional int32 a; optional int32 A; }"
            + "|c0 struct<a:int>|column a is ambiguous",
        "optional group %s (LIST) { repeated group list { repeated int32 element; } }"
            + "|c0 array<int>|column c0.list.element is repeated int32",
        "optional group %s { optional int64 t (TIMESTAMP(NANOS,true)); }"
            + "|c0 struct<t:timestamp>|column c0.t is optional int64"
      })
  void whatIsReadByOtherRulesIsSparks(String column, String type, String reason) throws Exception {
    assertSparks(column, type, reason);
  }

  private void assertSparks(String column, String type, String reason) throws Exception {
    Path file = written(List.of(column));
    Dataset<Row> ours = spark.read().schema(type).format("mooring").load(file.toString());
    assertThatThrownBy(() -> PlannedScan.of(ours))
        .isInstanceOf(UnreadableOnGpuException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void filesOfTheSameShapeAreDecodedTogetherWhateverTheirLayout() throws Exception {
    Path table = folder.resolve("layouts");
    List<String> rows = new ArrayList<>();
    List<String> layouts =
        List.of(
            "optional group %s (LIST) { repeated group list { required int32 element; } }",
            "optional group %s (LIST) { repeated int32 array; }",
            "optional group %s (LIST) { repeated group bag { required int32 item; } }");
    for (int i = 0; i < layouts.size(); i++) {
      Path file = table.resolve(i + ".parquet");
      new ForeignLists(random.nextLong()).write(file, List.of(layouts.get(i)), ROWS);
      rows.addAll(ScanResults.rows(spark.read().parquet(file.toString())));
    }
    rows.sort(null);
    Dataset<Row> ours = spark.read().format("mooring").load(table.toString());
    List<ScanUnit> units =
        PlannedScan.work(ours).stream().map(it -> ((ScanWork.Decode) it).unit()).toList();
    assertThat(units).hasSize(1);
    assertThat(new DecodedGroups(ours.schema()).rowsOfUnits(units)).isEqualTo(rows);
  }
}
