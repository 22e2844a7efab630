package io.mooring.scan.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.datasource.PlannedScan;
import io.mooring.parquet.footer.RowGroups;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.scan.plan.ScanContext;
import io.mooring.scan.plan.ScanUnit;
import io.mooring.scan.plan.ScanUnit.FileUnit;
import io.mooring.scan.split.FileSplit;
import io.mooring.testing.Sessions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
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

/** Which files are decoded together; needs no GPU. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UnitCoalescerTest {
  private static final int FILES = 12;
  private static final int ROWS = 1_200;

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
                "spark.mooring.scan.coalesceSize", "64m"));
    spark
        .range(0, ROWS, 1, FILES / 3)
        .selectExpr("id", "id * 2 as v", "id % 3 as p")
        .write()
        .option("parquet.block.row.count.limit", 30)
        .partitionBy("p")
        .parquet(table());
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  private static String table() {
    return folder.resolve("table").toString();
  }

  private List<ScanUnit> decodes(String sql) throws Exception {
    Dataset<Row> query = spark.sql(sql.formatted("mooring.`" + table() + "`"));
    List<ScanUnit> decodes = new ArrayList<>();
    for (ScanWork work : PlannedScan.work(query)) {
      decodes.add(unit(work));
    }
    return decodes;
  }

  private static ScanUnit unit(ScanWork work) {
    return work instanceof ScanWork.DecodeLate late ? late.unit() : ((ScanWork.Decode) work).unit();
  }

  private static long rows(List<ScanUnit> decodes) {
    return decodes.stream().mapToLong(it -> it.unit().rows()).sum();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select * from %s",
        "select id, p, input_file_name() from %s",
        "select id, p from %s where v > 10",
        "select max(id), count(*) from %s where v <> 3"
      })
  void filesThatDifferInNothingThatMattersAreDecodedTogether(String sql) throws Exception {
    List<ScanUnit> decodes = decodes(sql);
    assertThat(decodes).hasSize(1);
    assertThat(decodes.get(0).files()).hasSize(FILES);
    assertThat(rows(decodes)).isEqualTo(ROWS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"select max(p), sum(id) from %s", "select id from %s where v > p"})
  void aPartitionValueThatIsUsedOnTheGpuIsOneInAUnit(String sql) throws Exception {
    List<ScanUnit> decodes = decodes(sql);
    assertThat(rows(decodes)).isEqualTo(ROWS);
    assertThat(decodes).hasSizeLessThan(FILES);
    for (ScanUnit decode : decodes) {
      assertThat(decode.files().stream().map(it -> it.plan().split().partitionValues()).distinct())
          .hasSize(1);
    }
  }

  @Test
  void filesWithoutAColumnAreNotDecodedWithOthers() throws Exception {
    String path = folder.resolve("evolved").toString();
    spark.range(0, 100, 1, 2).selectExpr("id").write().parquet(path);
    spark.range(0, 100, 1, 2).selectExpr("id", "id as w").write().mode("append").parquet(path);
    Dataset<Row> query =
        spark.read().format("mooring").schema("id bigint, w bigint").load(path).filter("id > 3");
    List<List<FileUnit>> units = new ArrayList<>();
    for (ScanWork work : PlannedScan.work(query)) {
      units.add(unit(work).files());
    }
    assertThat(units).hasSizeGreaterThan(1);
    for (List<FileUnit> files : units) {
      assertThat(files.stream().map(it -> Arrays.toString(it.plan().columns().decodedAt())))
          .containsOnly(Arrays.toString(files.get(0).plan().columns().decodedAt()));
    }
  }

  @Test
  void notMoreIsDecodedTogetherThanTheSettingAllows() throws Exception {
    List<ScanUnit> alone = decodes("select * from %s");
    long bytes = alone.get(0).unit().decodedBytes();
    Dataset<Row> query = spark.read().format("mooring").load(table());
    assertThat(bytes).isPositive().isLessThan(64L << 20);
    for (long most : new long[] {0, bytes / 3, bytes - 1}) {
      UnitCoalescer task = new UnitCoalescer(context(query, most));
      alone.get(0).files().forEach(task::add);
      List<ScanUnit> units = task.finish().stream().map(UnitCoalescerTest::unit).toList();
      assertThat(units).hasSize(most == 0 ? FILES : most == bytes - 1 ? 2 : units.size());
      assertThat(units).allMatch(it -> it.files().size() == 1 || it.unit().decodedBytes() <= most);
    }
  }

  private static ScanContext context(Dataset<Row> query, long coalesceBytes) {
    ScanContext context = PlannedScan.context(query);
    return new ScanContext(
        context.columns(),
        context.files(),
        context.pushdown(),
        context.settings().withCoalesceBytes(coalesceBytes),
        context.pruning(),
        context.hadoop());
  }

  private static ScanUnit alone(WorkQueue queue) {
    ScanWork.Decode next = (ScanWork.Decode) queue.poll();
    assertThat(next.attempt()).isEqualTo(ScanWork.Attempt.ALONE);
    return next.unit();
  }

  @Test
  void halvesOfHalvesLeaveEveryRowGroupToSparkOnce() throws Exception {
    ScanUnit whole = decodes("select * from %s").get(0);
    WorkQueue queue = new WorkQueue(List.of());
    List<ScanUnit> pieces = new ArrayList<>();
    assertThat(queue.halve(whole, 0)).isTrue();
    for (int i = 0; i < 2; i++) {
      ScanUnit half = alone(queue);
      assertThat(half.unit().rows()).isBetween(1L, ROWS - 1L);
      WorkQueue quarters = new WorkQueue(List.of());
      assertThat(quarters.halve(half, 0)).isTrue();
      pieces.add(alone(quarters));
      pieces.add(alone(quarters));
    }
    assertThat(
            pieces.stream()
                .mapToLong(it -> it.files().stream().filter(FileUnit::first).count())
                .sum())
        .isEqualTo(FILES);
    assertThat(fallbackRowGroups(pieces))
        .isEqualTo(fallbackRowGroups(List.of(whole)))
        .doesNotHaveDuplicates();
  }

  private static List<String> fallbackRowGroups(List<ScanUnit> pieces) {
    List<String> left = new ArrayList<>();
    for (ScanUnit piece : pieces) {
      for (FileSplit split : piece.fallbackSplits()) {
        ReadUnit unit =
            piece.files().stream()
                .filter(file -> file.plan().split().path().equals(split.path()))
                .findFirst()
                .orElseThrow()
                .unit();
        RowGroups.ofSplit(unit.footer(), split.start(), split.length())
            .forEach(rowGroup -> left.add(split.path() + " " + rowGroup));
      }
    }
    return left;
  }

  @Test
  void oneRowGroupCannotBeHalved() throws Exception {
    ScanUnit whole = decodes("select * from %s").get(0);
    ScanUnit piece = whole;
    WorkQueue queue = new WorkQueue(List.of());
    while (queue.halve(piece, 0)) {
      piece = alone(queue);
    }
    assertThat(piece.unit().rowGroups()).hasSize(1);
  }
}
