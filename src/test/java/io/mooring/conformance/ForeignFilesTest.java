package io.mooring.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.RequiresGpu;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Files that pyarrow and DuckDB wrote, {@code src/test/resources/foreign}: with Mooring each query
 * gives the rows or the error that it gives without.
 */
@Tag("extended")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ForeignFilesTest {
  // They have columns that Mooring leaves to Spark, and the others with them.
  private static final Set<String> EACH_COLUMN =
      Set.of("arrow-other-types.parquet", "duckdb-snappy-v1.parquet");

  @TempDir static Path folder;
  private SparkSession ours;
  private SparkSession sparks;

  @BeforeAll
  void start() {
    Map<String, String> settings =
        Map.of(
            "spark.mooring.pinnedPool.size", "64m",
            "spark.sql.datetime.java8API.enabled", "true",
            // Else Spark does not read nanoseconds at all.
            "spark.sql.legacy.parquet.nanosAsLong", "true");
    ours = Sessions.transparent(folder.resolve("warehouse"), settings);
    ours.sparkContext().setLogLevel("OFF");
    sparks = ours.newSession();
    sparks.conf().set("spark.mooring.sql.enabled", "false");
  }

  @AfterAll
  void stop() {
    ours.stop();
  }

  static List<String> files() {
    return ForeignTables.names();
  }

  @ParameterizedTest
  @MethodSource("files")
  void everyColumnIsReadAsSparkReadsIt(String file) {
    useSparksBatches(!(file.contains("split") && RequiresGpu.Condition.gpuIsThere()));
    String table = "parquet.`" + ForeignTables.FILES.resolve(file) + "`";
    StructType schema = schema(table);
    List<String> problems = new ArrayList<>();
    for (String sql : queries(file, table, schema)) {
      ConformanceCase result = ConformanceCase.run(ours, sparks, new Statement(sql, false, true));
      result.problems().forEach(problem -> problems.add(sql + ": " + problem));
    }
    assertThat(problems).isEmpty();
  }

  /** Sets whether Spark reads in batches: Spark 4.1 then does not know BYTE_STREAM_SPLIT. */
  private void useSparksBatches(boolean use) {
    sparks.conf().set("spark.sql.parquet.enableVectorizedReader", use);
  }

  /** Empty where Spark cannot tell. */
  private StructType schema(String table) {
    try {
      return sparks.sql("select * from " + table).schema();
    } catch (Exception e) {
      assertThat(e).isInstanceOf(AnalysisException.class);
      return new StructType();
    }
  }

  private static List<String> queries(String file, String table, StructType schema) {
    List<String> columns =
        Stream.of(schema.fields())
            .filter(field -> !field.dataType().typeName().equals("map"))
            .map(field -> "`" + field.name() + "`")
            .toList();
    List<String> queries = new ArrayList<>(List.of("select * from " + table));
    if (EACH_COLUMN.contains(file)) {
      columns.forEach(column -> queries.add("select " + column + " from " + table));
    } else if (!columns.isEmpty()) {
      String counts =
          columns.stream().map(column -> "count(" + column + ")").collect(Collectors.joining(", "));
      String first = columns.get(0);
      queries.add("select " + first + ", count(*), " + counts + " from " + table + " group by 1");
    }
    return queries;
  }
}
