package io.mooring.scan.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.datasource.PlannedScan;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.scan.plan.ScanUnit;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which units are decoded in chunks; needs no GPU. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ChunkPlanningTest {
  private static final long BOUND = 64 << 10;
  private static final int ROWS = 20_000;
  // One narrow column of so many rows stays within the bound, and all columns do not.
  private static final int FEW_ROWS = 5_000;
  private static final int PAGE_ROWS = 500;
  private static final int LARGE_ROW_GROUP = 128 << 20;
  private static final int SMALL_ROW_GROUP = 40_000;

  @TempDir static Path folder;
  private SparkSession spark;

  @BeforeAll
  void start() {
    spark =
        Sessions.withPlugin(
            1,
            Map.of(
                "spark.mooring.pinnedPool.size", "0",
                "spark.mooring.sql.pushdown", "always",
                "spark.mooring.scan.mergeDistance", "0",
                "spark.mooring.scan.decodeSize", String.valueOf(BOUND)));
    write("large", ROWS, LARGE_ROW_GROUP);
    write("small", FEW_ROWS, LARGE_ROW_GROUP);
    write("several", ROWS, SMALL_ROW_GROUP);
    write("nested", "snappy", "v1", "array(string(id), null) as texts");
    write("deltas", "snappy", "v2", "id", "id * 7919 % 20011 as key", "-id as other");
    write("text-deltas", "snappy", "v2", "id", "sha2(string(id), 256) as text");
    write("zstd-v1", "zstd", "v1", "id % 100 as id", "string(id % 50) as text");
    write("zstd-v2", "zstd", "v2", "id % 100 as id", "string(id % 50) as text");
    write("snappy-v2", "snappy", "v2", "id % 100 as id", "string(id % 50) as text");
  }

  private void write(String table, String codec, String version, String... columns) {
    spark
        .range(0, ROWS, 1, 1)
        .selectExpr(columns)
        .write()
        .option("compression", codec)
        .option("parquet.writer.version", version)
        .option("parquet.enable.dictionary", !table.endsWith("deltas"))
        .parquet(folder.resolve(table).toString());
  }

  private void write(String table, int rows, int rowGroupBytes) {
    spark
        .range(0, rows, 1, 1)
        .selectExpr("id", "cast(id * 7919 % 20011 as int) as key", "sha2(string(id), 256) as text")
        .write()
        .option("parquet.block.size", rowGroupBytes)
        .option("parquet.page.row.count.limit", PAGE_ROWS)
        .option("parquet.page.size.row.check.min", 100)
        .option("parquet.page.size.row.check.max", 100)
        .option("parquet.enable.dictionary", "false")
        .parquet(folder.resolve(table).toString());
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  private List<ScanWork> work(String table, String sql) throws Exception {
    return PlannedScan.work(
        spark.sql(sql.formatted("mooring.`" + folder.resolve(table).toString() + "`")));
  }

  private ScanUnit decode(String table, String sql) throws Exception {
    List<ScanWork> work = work(table, sql);
    assertThat(work).hasSize(1);
    return ((ScanWork.Decode) work.get(0)).unit();
  }

  @Test
  void aRowGroupBeyondTheBoundIsDecodedInChunks() throws Exception {
    ReadUnit unit = decode("large", "select * from %s").unit();
    assertThat(unit.rowGroups()).hasSize(1);
    assertThat(unit.outputChunkBytes()).isEqualTo(BOUND);
    assertThat(decode("small", "select key from %s").unit().isChunked()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"nested", "deltas", "zstd-v1", "zstd-v2", "snappy-v2"})
  void soAreThoseOfAnyColumnsPagesAndCodecs(String table) throws Exception {
    ScanUnit planned = decode(table, "select * from %s");
    assertThat(planned.unit().decodedBytes()).isGreaterThan(BOUND);
    assertThat(planned.unit().outputChunkBytes()).isEqualTo(BOUND);
    WorkQueue queue = new WorkQueue(List.of());
    ReadUnit atOnce = planned.unit().chunked(Long.MAX_VALUE);
    assertThat(queue.chunk(planned.with(atOnce))).isTrue();
    assertThat(((ScanWork.Decode) queue.poll()).unit().unit().isChunked()).isTrue();
  }

  @Test
  void stringsInDeltasAreNotChunked() throws Exception {
    ScanUnit planned = decode("text-deltas", "select * from %s");
    assertThat(planned.unit().decodedBytes()).isGreaterThan(BOUND);
    assertThat(planned.unit().isChunked()).isFalse();
    assertThat(new WorkQueue(List.of()).chunk(planned)).isFalse();
  }

  @Test
  void unitsOfSeveralRowGroupsStayWithinTheBound() throws Exception {
    List<ScanWork> work = work("several", "select key, id from %s");
    assertThat(work).hasSizeGreaterThan(1);
    for (ScanWork next : work) {
      ReadUnit unit = ((ScanWork.Decode) next).unit().unit();
      assertThat(unit.decodedBytes()).isLessThanOrEqualTo(BOUND);
      assertThat(unit.isChunked()).isFalse();
    }
    assertThat(((ScanWork.Decode) work.get(0)).unit().unit().rowGroups()).hasSizeGreaterThan(1);
  }

  @Test
  void aLookIsTakenAtWhatFitsTheBound() throws Exception {
    List<ScanWork> work = work("small", "select * from %s where key = 7919");
    assertThat(work).singleElement().isInstanceOf(ScanWork.DecodeLate.class);
    LateMaterialization late = ((ScanWork.DecodeLate) work.get(0)).late();
    assertThat(late.unit().isChunked()).isFalse();
    assertThat(late.whole().outputChunkBytes()).isEqualTo(BOUND);
    ReadUnit large = decode("large", "select * from %s where key = 7919").unit();
    assertThat(large.outputChunkBytes()).isEqualTo(BOUND);
  }

  @Test
  void pagesThatAreLeftOutStayOut() throws Exception {
    String sql = "select id, key, text from %s where id between 5100 and 9000";
    ReadUnit unit = decode("large", sql).unit();
    assertThat(unit.pagesSkipped()).isPositive();
    assertThat(unit.outputChunkBytes()).isEqualTo(BOUND);
  }

  @Test
  void aRowGroupThatDoesNotFitIsTriedInSmallChunksOnce() throws Exception {
    ScanUnit planned = decode("large", "select * from %s");
    WorkQueue queue = new WorkQueue(List.of());
    assertThat(queue.chunk(planned)).as("chunks of the bound").isFalse();
    ReadUnit atOnce = planned.unit().chunked(Long.MAX_VALUE);
    assertThat(queue.chunk(planned.with(atOnce))).isTrue();
    ScanUnit small = ((ScanWork.Decode) queue.poll()).unit();
    assertThat(small.files()).isEqualTo(planned.files());
    assertThat(small.unit().isChunked()).isTrue();
    assertThat(queue.chunk(small)).isFalse();
    assertThat(queue.poll()).isNull();
  }
}
