package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.datasource.PlannedScan;
import io.mooring.parquet.files.ParquetFiles;
import io.mooring.testing.Interpreted;
import io.mooring.testing.RandomCases;
import io.mooring.testing.RandomConditions;
import io.mooring.testing.RandomTables;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * No row that a random condition is true of lies in a row group that is not read; needs no GPU. The
 * tables are sorted by one column each, so that there is something to prune.
 */
@Tag("extended")
@Tag("random")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RowGroupPruningTest {
  private static final int MOST_ROWS = 400;
  private static final int MOST_ROW_GROUPS = 100;
  private static final int CONDITIONS = RandomCases.of("mooring.test.conditions", 4);
  private static final int[] ROW_GROUP_ROWS = {1, 7, 50, 150};
  private static final int[] PAGE_ROWS = {1, 3, 20, 20_000};
  private static final List<String> EXTRA_COLUMNS =
      List.of(
          "date_sub(a_date, 200000) as an_old_date",
          "timestamp_micros(unix_micros(a_timestamp) - 15000000000000000) as an_old_timestamp",
          "cast(a_byte % 4 as double) * -0.0D as a_zero",
          "a_byte % 3 as a_key");

  @TempDir static Path folder;
  private final long seed = Long.getLong("mooring.test.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private SparkSession spark;
  private int rowGroupRows;
  private String timestampType = "";

  @BeforeAll
  void start() {
    System.out.println("RowGroupPruningTest seed " + seed);
    spark =
        Sessions.withPlugin(
            2,
            Interpreted.and(
                Map.of(
                    "spark.mooring.pinnedPool.size", "64m",
                    "spark.sql.parquet.datetimeRebaseModeInWrite", "CORRECTED",
                    "spark.sql.parquet.pushdown.inFilterThreshold", "6")));
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  static List<String> columns() {
    List<String> columns = new ArrayList<>(Arrays.asList(RandomTables.ALL_TYPES.fieldNames()));
    columns.addAll(List.of("an_old_date", "an_old_timestamp", "a_zero", "a_key"));
    return columns;
  }

  private String written(String sorted) {
    String path = folder.resolve(sorted).toString();
    List<String> all = new ArrayList<>(EXTRA_COLUMNS);
    all.add(0, "*");
    timestampType = random.nextBoolean() ? "TIMESTAMP_MICROS" : "TIMESTAMP_MILLIS";
    spark.conf().set("spark.sql.parquet.outputTimestampType", timestampType);
    int rows = Math.min(MOST_ROWS, MOST_ROW_GROUPS * rowGroupRows);
    spark
        .createDataFrame(new RandomTables(random.nextLong()).rows(rows), RandomTables.ALL_TYPES)
        .selectExpr(all.toArray(String[]::new))
        .coalesce(1)
        .sortWithinPartitions(sorted)
        .write()
        // Compression of pages of one row takes longer than the rest.
        .option("compression", "none")
        .option("parquet.block.row.count.limit", rowGroupRows)
        .option("parquet.page.row.count.limit", PAGE_ROWS[random.nextInt(PAGE_ROWS.length)])
        .option("parquet.page.size.row.check.min", 1)
        .option("parquet.page.size.row.check.max", 1)
        .option("parquet.enable.dictionary", random.nextBoolean())
        .option("parquet.bloom.filter.enabled", random.nextInt(3) == 0)
        .option("parquet.bloom.filter.max.bytes", 1024)
        .parquet(path);
    return path;
  }

  @ParameterizedTest
  @MethodSource("columns")
  void noRowThatIsWantedIsPruned(String sorted) throws Exception {
    rowGroupRows = ROW_GROUP_ROWS[random.nextInt(ROW_GROUP_ROWS.length)];
    String path = written(sorted);
    Dataset<Row> sparks = spark.read().parquet(path);
    Dataset<Row> ours = spark.read().format("mooring").load(path);
    RandomConditions conditions = new RandomConditions(random, sparks.collectAsList());
    List<Column> some = new ArrayList<>();
    for (int i = 0; i < CONDITIONS; i++) {
      some.add(conditions.on(sorted));
    }
    NavigableMap<Long, Integer> rowGroups = rowGroups(path);
    List<Set<Integer>> needed = needed(sparks, some, rowGroups);
    for (int i = 0; i < CONDITIONS; i++) {
      PlannedScan planned = PlannedScan.of(ours.filter(some.get(i)));
      assertThat(planned.rowGroups()).as(some.get(i).toString()).containsAll(needed.get(i));
    }
    if (hasRange(sorted) && rowGroups.size() > 1) {
      assertThat(PlannedScan.of(ours.filter(isGreatest(sparks, sorted))).pruned()).isPositive();
    }
    assertSameRowsWithoutPruning(ours.filter(some.get(0)), sparks.filter(some.get(0)));
  }

  /** Whether row groups differ in a column, and its conditions are surely pushed down. */
  private boolean hasRange(String column) {
    boolean millis = timestampType.equals("TIMESTAMP_MILLIS");
    return !Set.of("a_boolean", "a_zero").contains(column)
        && !(millis && column.endsWith("timestamp"));
  }

  /** The first row group holds the nulls, so that this is true of none of its rows. */
  private static Column isGreatest(Dataset<Row> table, String column) {
    List<Row> sorted = table.select(column).sort(functions.desc(column)).takeAsList(1);
    return functions.col(column).equalTo(functions.lit(sorted.get(0).get(0)));
  }

  /** For each condition the row groups with rows that it is true of. */
  private static List<Set<Integer>> needed(
      Dataset<Row> table, List<Column> conditions, NavigableMap<Long, Integer> rowGroups) {
    Column[] values = conditions.stream().toArray(Column[]::new);
    List<Set<Integer>> needed = new ArrayList<>();
    conditions.forEach(condition -> needed.add(new TreeSet<>()));
    for (Row row :
        table
            .select(functions.array(values), functions.col("_metadata.row_index"))
            .collectAsList()) {
      List<Boolean> holds = row.getList(0);
      for (int i = 0; i < values.length; i++) {
        if (Boolean.TRUE.equals(holds.get(i))) {
          needed.get(i).add(rowGroups.floorEntry(row.getLong(1)).getValue());
        }
      }
    }
    return needed;
  }

  /** Row groups by their first rows; the writer of Spark 3 cuts them by bytes alone. */
  private static NavigableMap<Long, Integer> rowGroups(String table) throws Exception {
    NavigableMap<Long, Integer> firstRows = new TreeMap<>();
    long rows = 0;
    Path file = ScanResults.firstParquetFile(Path.of(table));
    for (BlockMetaData rowGroup : ParquetFiles.footer(file).rowGroups()) {
      firstRows.put(rows, firstRows.size());
      rows += rowGroup.getRowCount();
    }
    return firstRows;
  }

  private void assertSameRowsWithoutPruning(Dataset<Row> ours, Dataset<Row> sparks) {
    List<String> pruned = ScanResults.rows(ours);
    if (RequiresGpu.Condition.gpuIsThere()) {
      assertThat(ScanResults.metric(ours, "cpuFiles")).isZero();
    }
    Sessions.with(
        spark,
        "spark.sql.parquet.filterPushdown",
        "false",
        () -> assertThat(pruned).isEqualTo(ScanResults.rows(sparks)));
  }
}
