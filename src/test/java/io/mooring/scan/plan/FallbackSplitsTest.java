package io.mooring.scan.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.datasource.PlannedScan;
import io.mooring.parquet.files.ParquetFiles;
import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.footer.RowGroups;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.unit.UnitPlanner;
import io.mooring.scan.plan.ScanUnit.FileUnit;
import io.mooring.scan.split.FileSplit;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ranges of files that Spark's reader reads instead of units. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FallbackSplitsTest {
  private static final int ROWS = 4_000;

  @TempDir static Path folder;
  private SparkSession spark;

  @BeforeAll
  void start() {
    spark = Sessions.transparent(folder.resolve("warehouse"), Map.of());
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  private Path written(String name, int rows, int rowGroupBytes) throws Exception {
    Path table = folder.resolve(name);
    spark
        .range(0, rows, 1, 1)
        .selectExpr("id", "md5(string(id)) p")
        .write()
        .option("parquet.block.size", rowGroupBytes)
        .parquet(table.toString());
    return ScanResults.firstParquetFile(table);
  }

  /** A unit of each row group that is planned. */
  private static List<ScanUnit> units(Dataset<Row> query) throws Exception {
    ScanContext context = PlannedScan.context(query);
    FileSplit split = PlannedScan.splits(query).get(0);
    FilePlan plan = PlannedScan.planner(context, new ScanCounters()).plan(split);
    List<ScanUnit> units = new ArrayList<>();
    for (ReadUnit unit : plan.units()) {
      for (int rowGroup : unit.rowGroups()) {
        ReadUnit one =
            new UnitPlanner(unit.files(), unit.footer(), unit.columns(), Long.MAX_VALUE, 1 << 20)
                .plan(List.of(rowGroup))
                .get(0);
        units.add(new ScanUnit(List.of(new FileUnit(plan, unit, true)), one));
      }
    }
    return units;
  }

  @ParameterizedTest
  @ValueSource(strings = {"id >= 0", "id % 1500 < 1000 and id in (0, 350, 1800, 3900)"})
  void theyMakeUpTheSplitOfTheFile(String condition) throws Exception {
    String table = "parquet.`" + written("all-" + condition.length(), ROWS, 1000).getParent() + "`";
    Dataset<Row> query = spark.sql("select * from " + table + " where " + condition);
    List<ScanUnit> units = units(query);
    assertThat(units).hasSizeGreaterThan(3);
    FileSplit all = units.get(0).plan().split();
    long end = all.start();
    for (ScanUnit unit : units) {
      assertThat(unit.fallbackSplits()).hasSize(1);
      FileSplit range = unit.fallbackSplits().get(0);
      assertThat(range.start()).isEqualTo(end);
      end = range.start() + range.length();
    }
    assertThat(end).isEqualTo(all.start() + all.length());
  }

  /** Row groups of the new file lie elsewhere; Spark's reader takes those that begin in a range. */
  @Test
  void noRowIsLostIfTheFileHasBeenReplaced() throws Exception {
    Path file = written("old", ROWS, 1000);
    Dataset<Row> query = spark.sql("select * from parquet.`" + file.getParent() + "`");
    List<ScanUnit> units = units(query);
    Files.move(written("new", ROWS - 100, 64 << 20), file, StandardCopyOption.REPLACE_EXISTING);
    Files.delete(file.resolveSibling("." + file.getFileName() + ".crc"));
    List<FileSplit> ranges =
        units.stream().flatMap(unit -> unit.fallbackSplits().stream()).toList();
    Footer footer = ParquetFiles.footer(file);
    long rows = 0;
    for (FileSplit range : ranges) {
      for (int rowGroup : RowGroups.ofSplit(footer, range.start(), range.length())) {
        rows += footer.rowGroups().get(rowGroup).getRowCount();
      }
    }
    assertThat(rows).isEqualTo(ROWS - 100);
  }
}
