package io.mooring.scan.prune;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.parquet.source.ParquetFile;
import io.mooring.scan.plan.FilePlan;
import io.mooring.scan.plan.FilePlanner;
import io.mooring.scan.plan.FileSchema;
import io.mooring.scan.split.FileSplit;
import io.mooring.session.ReadSettings;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which row groups the ranges of keys leave out; needs no GPU. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KeyRangesTest {
  private static final StructType SCHEMA =
      StructType.fromDDL("`i-1` int, l bigint, d date, t string");
  private static final int ROW_GROUPS = 10;
  private static final int ROWS_OF_A_ROW_GROUP = 100;

  @TempDir static Path folder;

  private SparkSession spark;
  private FileSplit split;

  /** Values from -500 to 499 in their order, a tenth of them null. */
  @BeforeAll
  void start() throws Exception {
    spark = Sessions.withPlugin(2, Map.of("spark.mooring.pinnedPool.size", "0"));
    Path table = folder.resolve("table");
    spark
        .range(-500, 500, 1, 1)
        .selectExpr(
            "if(id % 10 = 3, null, cast(id as int)) `i-1`",
            "id l", "date_add(date'1970-01-01', cast(id as int)) d", "cast(id as string) t")
        .write()
        // The writer asks this often whether a row group is full, which it then always is.
        .option("parquet.block.size", 1)
        .option("parquet.block.size.row.check.min", ROWS_OF_A_ROW_GROUP)
        .option("parquet.block.size.row.check.max", ROWS_OF_A_ROW_GROUP)
        .parquet(table.toString());
    String path = "file:" + ScanResults.firstParquetFile(table);
    long bytes = Files.size(Path.of(path.substring("file:".length())));
    split =
        new FileSplit(
            new ParquetFile(path, bytes, 0), path, 0, bytes, InternalRow.empty(), new String[0]);
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  @ParameterizedTest
  @CsvSource({
    "-1000, 1000, 10",
    "-500, -401, 1",
    "-401, -400, 2",
    "0, 0, 1",
    "250, 1000, 3",
    "500, 600, 0",
    "1, 0, 0"
  })
  void onlyRowGroupsInTheRangeAreRead(long least, long greatest, int read) throws Exception {
    KeyRanges range = KeyRanges.between(least, greatest);
    for (String column : new String[] {"i-1", "l", "d"}) {
      FilePlan plan = plan(range.filter(column, SCHEMA.apply(column).dataType()).stream());
      assertThat(ROW_GROUPS - plan.pruned()).as(column).isEqualTo(read);
    }
  }

  @Test
  void rowGroupsBetweenKeysAreNotRead() throws Exception {
    KeyRanges keys = KeyRanges.of(new long[] {-499, -499, -498, -250, -120, 60, 499, 2000});
    for (String column : new String[] {"i-1", "l", "d"}) {
      FilePlan plan = plan(keys.filter(column, SCHEMA.apply(column).dataType()).stream());
      assertThat(ROW_GROUPS - plan.pruned()).as(column).isEqualTo(5);
    }
  }

  @Test
  void rangesHoldEveryKeyAndNoneOfTheWidestGaps() {
    Random random = new Random(System.nanoTime());
    for (int round = 0; round < 200; round++) {
      long spread = 1L << random.nextInt(63);
      long[] keys =
          random.longs(1 + random.nextInt(200)).map(key -> key % spread).sorted().toArray();
      KeyRanges ranges = KeyRanges.of(keys);
      assertThat(ranges.ranges()).hasSizeBetween(1, 32);
      assertThat(LongStream.of(keys)).allMatch(ranges::contains);
      assertThat(ranges.contains(keys[0] - 1)).isFalse();
      assertThat(ranges.contains(keys[keys.length - 1] + 1)).isFalse();
      for (int i = 1; i < ranges.ranges().size(); i++) {
        long end = ranges.ranges().get(i - 1).greatest();
        long next = ranges.ranges().get(i).least();
        assertThat(Long.compareUnsigned(next - end, 1)).isPositive();
        assertThat(ranges.contains(end + 1)).isFalse();
      }
    }
  }

  @Test
  void theEndsOfLongsAreFarApart() {
    KeyRanges keys = KeyRanges.of(new long[] {Long.MIN_VALUE, 0, Long.MAX_VALUE});
    assertThat(keys.ranges()).hasSize(3);
    long[] many = LongStream.range(0, 40).map(i -> i * 10).toArray();
    many[39] = Long.MAX_VALUE;
    assertThat(KeyRanges.of(many).contains(380 + 1)).isFalse();
    assertThat(KeyRanges.of(many).ranges()).hasSize(32);
  }

  @Test
  void anIntersectionHoldsWhatBothHold() {
    KeyRanges a = KeyRanges.of(new long[] {1, 2, 3, 10, 11, 12, 20});
    KeyRanges b = KeyRanges.of(new long[] {3, 4, 5, 11, 30});
    assertThat(a.intersect(b).ranges())
        .containsExactly(new KeyRanges.Range(3, 3), new KeyRanges.Range(11, 11));
    assertThat(a.intersect(KeyRanges.EMPTY)).isEqualTo(KeyRanges.EMPTY);
    assertThat(KeyRanges.between(2, 1)).isEqualTo(KeyRanges.EMPTY);
  }

  @Test
  void partitionsAreComparedAsWholeNumbersAndDates() {
    StructType partition = StructType.fromDDL("t string, i int, l bigint, d date");
    Map<Integer, KeyRanges> keys =
        Map.of(
            0, KeyRanges.EMPTY,
            1, KeyRanges.between(1, 2),
            2, KeyRanges.between(3, 4),
            3, KeyRanges.of(new long[] {10, 20}));
    PartitionKeys all = new PartitionKeys(keys, partition);
    UTF8String text = UTF8String.fromString("a");
    assertThat(all.mayMatch(row(text, 1, 4L, 20))).isTrue();
    assertThat(all.mayMatch(row(text, 3, 4L, 20))).isFalse();
    assertThat(all.mayMatch(row(text, 1, 5L, 20))).isFalse();
    assertThat(all.mayMatch(row(text, 1, 4L, 11))).isFalse();
    assertThat(all.mayMatch(row(text, 1, null, 20))).isFalse();
    assertThat(PartitionKeys.NONE.mayMatch(InternalRow.empty())).isTrue();
  }

  @Test
  void othersThanWholeNumbersHaveNoRange() {
    assertThat(KeyRanges.between(1, 2).filter("t", DataTypes.StringType)).isEmpty();
    assertThat(KeyRanges.EMPTY.filter("t", DataTypes.createDecimalType(9, 0))).isEmpty();
  }

  @Test
  void rangesOfSeveralColumnsHoldTogether() throws Exception {
    Optional<Filter> low = KeyRanges.between(-500, -150).filter("i-1", DataTypes.IntegerType);
    Optional<Filter> high = KeyRanges.between(-250, 500).filter("l", DataTypes.LongType);
    FilePlan plan = plan(Stream.of(low, high).flatMap(Optional::stream));
    assertThat(plan.pruned()).isEqualTo(ROW_GROUPS - 2);
  }

  private static InternalRow row(Object... values) {
    return new GenericInternalRow(values);
  }

  private FilePlan plan(Stream<Filter> ofJoins) throws Exception {
    var conf = spark.sessionState().conf();
    PruningFilters filters =
        PruningFilters.of(conf, List.of()).with(ofJoins.toList(), PartitionKeys.NONE);
    return new FilePlanner(
            new FileSchema(SCHEMA, ""),
            ReadSettings.of(spark, Map.of()),
            filters,
            new Configuration())
        .plan(split);
  }
}
