package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.mooring.datasource.PlannedScan;
import io.mooring.parquet.files.ParquetFiles;
import io.mooring.parquet.footer.Footer;
import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Map;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
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

/** Row groups that the values of their pages rule out, and not those of the whole chunk. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PageIndexPruningTest {
  private static final int ROW_GROUPS = 5;
  private static final int ROW_GROUP_ROWS = 100;
  private static final int PAGE_ROWS = 10;
  private static final String[] COLUMNS = {
    "id",
    // Every page of every row group holds one of ten values.
    "id % 100 div 10 * 1000 as step",
    "id % 100 as up",
    "99 - id % 100 as down",
    "concat('v', 1000 + id % 100 div 10 * 100) as text",
    "if(id % 100 < 50, null, id) as half"
  };

  @TempDir static Path folder;
  private SparkSession spark;

  @BeforeAll
  void start() {
    spark = Sessions.withPlugin(2, Map.of("spark.mooring.pinnedPool.size", "64m"));
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  private Dataset<Row> table(String name, int pageRows) {
    // The writers before Spark 4.1 cut row groups by bytes alone.
    assumeThat(spark.version()).isGreaterThanOrEqualTo("4.1");
    Path path = folder.resolve(name);
    if (!Files.exists(path)) {
      write(path.toString(), pageRows);
    }
    return spark.read().format("mooring").load(path.toString());
  }

  private void write(String path, int pageRows) {
    spark
        .range(0, ROW_GROUPS * ROW_GROUP_ROWS, 1, 1)
        .selectExpr(COLUMNS)
        .write()
        .option("parquet.block.row.count.limit", ROW_GROUP_ROWS)
        .option("parquet.page.row.count.limit", pageRows)
        .option("parquet.page.size.row.check.min", 1)
        .option("parquet.page.size.row.check.max", pageRows)
        .parquet(path);
  }

  private static int pruned(Dataset<Row> query) throws Exception {
    return PlannedScan.of(query).pruned();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "step > 4000 and step < 5000",
        "up < 20 and down < 20",
        "up between 40 and 45 and step >= 5000",
        "text > 'v1450' and text < 'v1490'",
        "text like 'v145%'",
        "half < 1000 and up < 50",
        "half is not null and up < 50",
        "half is null and up >= 50"
      })
  void pagesRuleOutWhatStatisticsCannot(String condition) throws Exception {
    assertThat(pruned(table("pages", PAGE_ROWS).filter(condition))).isEqualTo(ROW_GROUPS);
    assertThat(pruned(table("one-page", 20_000).filter(condition))).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "step > 3999 and step < 5000",
        "up < 20 and down < 81",
        "text like 'v14%'",
        "half is null and up < 51",
        "step > 4000 or up = 3"
      })
  void onePageWithSuchARowIsEnough(String condition) throws Exception {
    assertThat(pruned(table("pages", PAGE_ROWS).filter(condition))).isZero();
  }

  @Test
  void theSettingOfParquetIsObeyed() throws Exception {
    table("setting", PAGE_ROWS);
    Dataset<Row> table =
        spark
            .read()
            .format("mooring")
            .option("parquet.filter.columnindex.enabled", "false")
            .load(folder.resolve("setting").toString());
    assertThat(pruned(table.filter("step > 4000 and step < 5000"))).isZero();
  }

  @Test
  void damagedIndexesRuleNothingOutAndLeaveTheOtherWays() throws Exception {
    table("damaged", PAGE_ROWS);
    Path file = ScanResults.firstParquetFile(folder.resolve("damaged"));
    overwriteIndexes(file, ParquetFiles.footer(file));
    Dataset<Row> table = spark.read().format("mooring").load(folder.resolve("damaged").toString());
    assertThat(pruned(table.filter("step > 4000 and step < 5000"))).isZero();
    assertThat(pruned(table.filter("id < 10"))).isEqualTo(ROW_GROUPS - 1);
  }

  private static void overwriteIndexes(Path file, Footer footer) throws Exception {
    Files.delete(file.resolveSibling("." + file.getFileName() + ".crc"));
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      for (BlockMetaData rowGroup : footer.rowGroups()) {
        for (ColumnChunkMetaData chunk : rowGroup.getColumns()) {
          var index = chunk.getColumnIndexReference();
          byte[] noise = new byte[index.getLength()];
          Arrays.fill(noise, (byte) 0x7b);
          channel.write(ByteBuffer.wrap(noise), index.getOffset());
        }
      }
    }
  }
}
