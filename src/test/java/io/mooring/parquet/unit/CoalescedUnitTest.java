package io.mooring.parquet.unit;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.parquet.files.ParquetFiles;
import io.mooring.parquet.files.UnitGroups;
import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.footer.Footers;
import io.mooring.parquet.source.ParquetFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What parquet-mr reads of coalesced units is what it reads of the files one by one. */
class CoalescedUnitTest {
  private static final int[] ROWS = {3_000, 1, 777, 5_000};
  private static final List<String> COLUMNS = List.of("text", "id");

  @TempDir Path folder;
  private final List<ParquetFile> files = new ArrayList<>();

  @BeforeEach
  void write() throws Exception {
    for (int i = 0; i < ROWS.length; i++) {
      Path path = folder.resolve(i + ".parquet");
      CompressionCodecName codec =
          i % 2 == 0 ? CompressionCodecName.SNAPPY : CompressionCodecName.UNCOMPRESSED;
      files.add(ParquetFiles.write(path, ROWS[i], 16 << 10, i >= 2, codec));
    }
  }

  private static ReadUnit unit(ParquetFile file, List<String> columns) throws Exception {
    Footer footer = Footers.read(file);
    List<Integer> all = IntStream.range(0, footer.rowGroups().size()).boxed().toList();
    // Without the first row group, so that numbers in the file and in the sequence differ.
    List<Integer> some = all.size() > 1 ? all.subList(1, all.size()) : all;
    return new UnitPlanner(file, footer, columns, Long.MAX_VALUE, 4096).plan(some).get(0);
  }

  private List<ReadUnit> units() throws Exception {
    List<ReadUnit> units = new ArrayList<>();
    for (ParquetFile file : files) {
      units.add(unit(file, COLUMNS));
    }
    return units;
  }

  private static List<String> read(ReadUnit unit) throws IOException {
    return UnitGroups.read(unit).stream().map(Object::toString).toList();
  }

  @Test
  void everyRowOfEveryFileIsThereInOrder() throws Exception {
    List<ReadUnit> units = units();
    ReadUnit coalesced = CoalescedUnit.of(units);
    List<String> expected = new ArrayList<>();
    for (ReadUnit unit : units) {
      expected.addAll(read(unit));
    }
    assertThat(read(coalesced)).isEqualTo(expected).hasSize((int) coalesced.rows());
    assertThat(coalesced.rowsOfFiles())
        .isEqualTo(units.stream().mapToLong(ReadUnit::rows).toArray());
  }

  @Test
  void itsRangesAreThoseOfTheFilesAndHoldEveryChunk() throws Exception {
    List<ReadUnit> units = units();
    ReadUnit coalesced = CoalescedUnit.of(units);
    assertThat(coalesced.encodedBytes())
        .isEqualTo(units.stream().mapToLong(ReadUnit::encodedBytes).sum());
    assertThat(coalesced.ranges().stream().map(coalesced.files()::inFile))
        .isEqualTo(units.stream().flatMap(unit -> unit.ranges().stream()).toList());
    for (var rowGroup : coalesced.footer().rowGroups()) {
      for (var chunk : rowGroup.getColumns()) {
        assertThat(coalesced.ranges())
            .anyMatch(it -> it.contains(chunk.getStartingPos(), chunk.getTotalSize()));
      }
    }
  }

  @Test
  void someOfItsRowGroupsCanBePlannedAgain() throws Exception {
    ReadUnit coalesced = CoalescedUnit.of(units());
    int last = coalesced.rowGroups().length - 1;
    ReadUnit ends =
        new UnitPlanner(
                coalesced.files(),
                coalesced.footer(),
                List.of("id"),
                Long.MAX_VALUE,
                Long.MAX_VALUE)
            .plan(List.of(0, last))
            .get(0);
    assertThat(ends.ranges()).hasSize(2);
    assertThat(ends.rowsOfFiles()[1]).isZero();
    assertThat(ends.rowsOfFiles()[0] + ends.rowsOfFiles()[3]).isEqualTo(ends.rows());
    assertThat(read(ends)).hasSize((int) ends.rows()).contains("id: 4999\n");
  }

  @Test
  void filesOfOtherColumnsOrTypesAreNotCoalesced() throws Exception {
    ReadUnit unit = unit(files.get(0), COLUMNS);
    assertThat(CoalescedUnit.canCoalesce(unit, unit(files.get(3), COLUMNS))).isTrue();
    assertThat(CoalescedUnit.canCoalesce(unit, unit(files.get(3), List.of("id", "text"))))
        .isFalse();
  }
}
