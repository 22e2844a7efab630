package io.mooring.parquet.unit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.parquet.files.ParquetFiles;
import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.footer.Footers;
import io.mooring.parquet.footer.UnreadableOnGpuException;
import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.source.ParquetFile;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnitPlannerTest {
  private static final int ROWS = 20_000;
  @TempDir Path folder;
  private ParquetFile file;
  private Footer footer;

  @BeforeEach
  void write() throws Exception {
    file = ParquetFiles.write(folder.resolve("a.parquet"), ROWS, 32 << 10);
    footer = Footers.read(file);
  }

  private List<ReadUnit> plan(long unitBytes, String... columns) throws UnreadableOnGpuException {
    List<Integer> all = IntStream.range(0, footer.rowGroups().size()).boxed().toList();
    return new UnitPlanner(file, footer, List.of(columns), unitBytes, 0).plan(all);
  }

  @Test
  void everyRowGroupIsInOneUnitInOrder() throws Exception {
    for (long unitBytes : new long[] {1, 50_000, 200_000, 1L << 40}) {
      List<ReadUnit> units = plan(unitBytes, "id", "text");
      assertThat(units.stream().flatMapToInt(unit -> Arrays.stream(unit.rowGroups())).toArray())
          .isEqualTo(IntStream.range(0, footer.rowGroups().size()).toArray());
      assertThat(units.stream().mapToLong(ReadUnit::rows).sum()).isEqualTo(ROWS);
    }
  }

  @Test
  void aSmallUnitSizeGivesARowGroupToAUnitAndALargeOneGivesAllToOne() throws Exception {
    assertThat(plan(1, "id")).hasSameSizeAs(footer.rowGroups());
    assertThat(plan(1L << 40, "id")).hasSize(1);
  }

  @Test
  void onlyTheWantedColumnsAreRead() throws Exception {
    ReadUnit unit = plan(1, "text").get(0);
    ColumnChunkMetaData text = footer.rowGroups().get(0).getColumns().get(2);
    assertThat(unit.ranges())
        .containsExactly(new FileRange(text.getStartingPos(), text.getTotalSize()));
    assertThat(unit.encodedBytes()).isEqualTo(text.getTotalSize());
  }

  @Test
  void neighbouringColumnsAreReadAsOne() throws Exception {
    assertThat(plan(1, "id", "other").get(0).ranges()).hasSize(1);
    assertThat(plan(1, "id", "text").get(0).ranges()).hasSize(2);
  }

  @Test
  void aChunkBeyondTheEndOfTheFileIsSparksToRead() {
    ParquetFile shorter = new ParquetFile(file.path(), file.length() / 2, 0);
    List<Integer> last = List.of(footer.rowGroups().size() - 1);
    assertThatThrownBy(() -> new UnitPlanner(shorter, footer, List.of("id"), 1, 0).plan(last))
        .isInstanceOf(UnreadableOnGpuException.class)
        .hasMessageContaining("outside the file");
  }
}
