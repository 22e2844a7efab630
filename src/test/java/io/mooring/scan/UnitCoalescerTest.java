package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.parquet.footer.RowGroups;
import io.mooring.parquet.unit.ReadUnit;
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

  private List<ScanSteps.Decode> decodes(String sql) throws Exception {
    Dataset<Row> query = spark.sql(sql.formatted("mooring.`" + table() + "`"));
    List<ScanSteps.Decode> decodes = new ArrayList<>();
    for (ScanSteps.Step step : PlannedScan.steps(query)) {
      decodes.add(step instanceof ScanSteps.Look look ? look.whole() : (ScanSteps.Decode) step);
    }
    return decodes;
  }

  private static long rows(List<ScanSteps.Decode> decodes) {
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
    List<ScanSteps.Decode> decodes = decodes(sql);
    assertThat(decodes).hasSize(1);
    assertThat(decodes.get(0).parts()).hasSize(FILES);
    assertThat(rows(decodes)).isEqualTo(ROWS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select p, sum(id) from %s group by p",
        "select max(p), sum(id) from %s",
        "select id from %s where v > p"
      })
  void aPartitionValueThatIsUsedOnTheGpuIsOneInAUnit(String sql) throws Exception {
    List<ScanSteps.Decode> decodes = decodes(sql);
    assertThat(rows(decodes)).isEqualTo(ROWS);
    assertThat(decodes).hasSizeLessThan(FILES);
    for (ScanSteps.Decode decode : decodes) {
      assertThat(decode.parts().stream().map(it -> it.plan().split().partitionValues()).distinct())
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
    List<List<UnitPart>> units = new ArrayList<>();
    for (ScanSteps.Step step : PlannedScan.steps(query)) {
      units.add(
          step instanceof ScanSteps.Look look ? look.parts() : ((ScanSteps.Decode) step).parts());
    }
    assertThat(units).hasSizeGreaterThan(1);
    for (List<UnitPart> parts : units) {
      assertThat(parts.stream().map(it -> Arrays.toString(it.plan().columns().decodedAt())))
          .containsOnly(Arrays.toString(parts.get(0).plan().columns().decodedAt()));
    }
  }

  @Test
  void notMoreIsDecodedTogetherThanTheSettingAllows() throws Exception {
    List<ScanSteps.Decode> alone = decodes("select * from %s");
    long bytes = alone.get(0).unit().decodedBytes();
    Dataset<Row> query = spark.read().format("mooring").load(table());
    assertThat(bytes).isPositive().isLessThan(64L << 20);
    for (long most : new long[] {0, bytes / 3, bytes - 1}) {
      UnitCoalescer task = new UnitCoalescer(factory(query, most));
      alone.get(0).parts().forEach(task::add);
      List<ScanSteps.Step> steps = task.steps();
      assertThat(steps).hasSize(most == 0 ? FILES : most == bytes - 1 ? 2 : steps.size());
      assertThat(steps)
          .allMatch(
              step ->
                  ((ScanSteps.Decode) step).parts().size() == 1
                      || ((ScanSteps.Decode) step).unit().decodedBytes() <= most);
    }
  }

  private static ScanReaderFactory factory(Dataset<Row> query, long coalesceBytes) {
    ScanReaderFactory factory = ScanReaderFactory.create(PlannedScan.scan(query).orElseThrow());
    ReadSettings settings = factory.settings();
    return new ScanReaderFactory(
        factory.spark(),
        factory.dataColumns(),
        factory.files(),
        factory.partitionColumns(),
        factory.pushdown(),
        settings.withCoalesceBytes(coalesceBytes),
        factory.pruning(),
        factory.hadoop(),
        factory.columnar());
  }

  @Test
  void halvesOfHalvesLeaveEveryRowGroupToSparkOnce() throws Exception {
    ScanSteps.Decode whole = decodes("select * from %s").get(0);
    StepQueue queue = new StepQueue(new ScanSteps(List.of()));
    List<ScanSteps.Decode> pieces = new ArrayList<>();
    assertThat(queue.halve(whole, 0)).isTrue();
    for (int i = 0; i < 2; i++) {
      ScanSteps.Decode half = ((ScanSteps.Retry) queue.poll()).part();
      assertThat(half.unit().rows()).isBetween(1L, ROWS - 1L);
      StepQueue quarters = new StepQueue(new ScanSteps(List.of()));
      assertThat(quarters.halve(half, 0)).isTrue();
      pieces.add(((ScanSteps.Retry) quarters.poll()).part());
      pieces.add(((ScanSteps.Retry) quarters.poll()).part());
    }
    assertThat(
            pieces.stream()
                .mapToLong(it -> it.parts().stream().filter(UnitPart::first).count())
                .sum())
        .isEqualTo(FILES);
    assertThat(leftRowGroups(pieces))
        .isEqualTo(leftRowGroups(List.of(whole)))
        .doesNotHaveDuplicates();
  }

  private static List<String> leftRowGroups(List<ScanSteps.Decode> pieces) {
    List<String> left = new ArrayList<>();
    for (ScanSteps.Decode piece : pieces) {
      for (FileSplit split : LeftStretches.of(piece)) {
        ReadUnit unit =
            piece.parts().stream()
                .filter(part -> part.plan().split().path().equals(split.path()))
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
    ScanSteps.Decode whole = decodes("select * from %s").get(0);
    ScanSteps.Decode piece = whole;
    StepQueue queue = new StepQueue(new ScanSteps(List.of()));
    while (queue.halve(piece, 0)) {
      piece = ((ScanSteps.Retry) queue.poll()).part();
    }
    assertThat(piece.unit().rowGroups()).hasSize(1);
  }
}
