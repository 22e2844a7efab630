package io.mooring.scan.prune;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which row groups a range of keys leaves out; needs no GPU. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KeyRangeTest {
  private static final StructType SCHEMA = StructType.fromDDL("i int, l bigint, d date, t string");
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
            "if(id % 10 = 3, null, cast(id as int)) i",
            "id l", "date_add(date'1970-01-01', cast(id as int)) d", "cast(id as string) t")
        .write()
        .option("parquet.block.row.count.limit", ROWS_OF_A_ROW_GROUP)
        // The writer asks whether a row group is full this often.
        .option("parquet.block.size.row.check.min", 10)
        .option("parquet.block.size.row.check.max", 10)
        .parquet(table.toString());
    String path = "file:" + ScanResults.firstParquetFile(table);
    long bytes = Files.size(Path.of(path.substring("file:".length())));
    split = new FileSplit(path, path, 0, bytes, bytes, 0, InternalRow.empty(), new String[0]);
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
    KeyRange range = new KeyRange(least, greatest);
    for (String column : new String[] {"i", "l", "d"}) {
      FilePlan plan = plan(range.filter(column, SCHEMA.apply(column).dataType()).stream());
      assertThat(ROW_GROUPS - plan.pruned()).as(column).isEqualTo(read);
    }
  }

  @Test
  void othersThanWholeNumbersHaveNoRange() {
    assertThat(new KeyRange(1, 2).filter("t", DataTypes.StringType)).isEmpty();
    assertThat(new KeyRange(2, 1).filter("t", DataTypes.createDecimalType(9, 0))).isEmpty();
  }

  @Test
  void rangesOfSeveralColumnsHoldTogether() throws Exception {
    Optional<Filter> low = new KeyRange(-500, -150).filter("i", DataTypes.IntegerType);
    Optional<Filter> high = new KeyRange(-250, 500).filter("l", DataTypes.LongType);
    FilePlan plan = plan(Stream.of(low, high).flatMap(Optional::stream));
    assertThat(plan.pruned()).isEqualTo(ROW_GROUPS - 2);
  }

  private FilePlan plan(Stream<Filter> ofJoins) throws Exception {
    var conf = spark.sessionState().conf();
    PruningFilters filters = PruningFilters.of(conf, List.of()).with(ofJoins.toList());
    return new FilePlanner(
            new FileSchema(SCHEMA, ""),
            ReadSettings.of(spark, Map.of()),
            filters,
            new Configuration())
        .plan(split);
  }
}
