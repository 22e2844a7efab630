package io.mooring.parquet.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.parquet.files.PagedFiles;
import io.mooring.parquet.files.ParquetFiles;
import io.mooring.parquet.files.UnitGroups;
import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.footer.FooterRewriter;
import io.mooring.parquet.footer.Footers;
import io.mooring.parquet.footer.ProjectedColumn;
import io.mooring.parquet.pageskip.SparseColumnChunk;
import io.mooring.parquet.prune.SkippablePages;
import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.parquet.unit.CoalescedUnit;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.unit.UnitPlanner;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The files of a unit's row groups, put together of real column chunks: parquet-mr reads of them
 * what it reads of the unit.
 */
class RowGroupFileTest {
  private static final String KEY = "key";

  @TempDir Path folder;
  private final long seed = Long.getLong("mooring.test.seed", System.nanoTime());
  private final Random random = new Random(seed);

  private static ReadUnit unit(ParquetFile file, Footer footer, List<String> columns)
      throws Exception {
    List<Integer> all = IntStream.range(0, footer.rowGroups().size()).boxed().toList();
    return new UnitPlanner(file, footer, columns, Long.MAX_VALUE, 0).plan(all).get(0);
  }

  private static ReadUnit unit(Path path, List<String> columns) throws Exception {
    ParquetFile file = ParquetFiles.at(path);
    return unit(file, Footers.read(file), columns);
  }

  private static List<String> names(Footer footer) {
    return footer.schema().getFields().stream().map(column -> column.getName()).toList();
  }

  /** Some columns in any order. */
  private List<String> some(List<String> names) {
    List<String> some = new ArrayList<>(names);
    Collections.shuffle(some, random);
    return some.subList(0, 1 + random.nextInt(some.size()));
  }

  private static List<String> rows(ReadUnit unit) throws Exception {
    return UnitGroups.read(unit).stream().map(Object::toString).toList();
  }

  /** The rows of all row groups, each read of a file of its own. */
  private List<String> rowsOfFiles(ReadUnit unit) throws Exception {
    List<String> rows = new ArrayList<>();
    for (int rowGroup : unit.rowGroups()) {
      Path path = folder.resolve("row-group.parquet");
      Files.write(path, bytes(unit, RowGroupFile.of(unit, rowGroup)));
      ReadUnit own = unit(path, unit.columns());
      assertThat(own.rowGroups()).hasSize(1);
      rows.addAll(rows(own));
    }
    return rows;
  }

  private Footer footerOfFirst(ReadUnit unit) throws Exception {
    Path path = folder.resolve("first.parquet");
    Files.write(path, bytes(unit, RowGroupFile.of(unit, 0)));
    return Footers.read(ParquetFiles.at(path));
  }

  /** The bytes of the file, as the host has them after a copy from the device. */
  private static byte[] bytes(ReadUnit unit, RowGroupFile file) throws Exception {
    Map<Integer, byte[]> files = new HashMap<>();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(file.head());
    for (RowGroupFile.Chunk chunk : file.chunks()) {
      assertThat(chunk.offset()).isEqualTo(bytes.size());
      bytes.write(bytes(unit, chunk.range(), files));
    }
    assertThat(file.tailOffset()).isEqualTo(bytes.size());
    bytes.write(file.tail());
    assertThat(file.length()).isEqualTo(bytes.size());
    return bytes.toByteArray();
  }

  private static byte[] bytes(ReadUnit unit, FileRange chunk, Map<Integer, byte[]> files)
      throws Exception {
    int index = unit.files().indexAt(chunk.offset());
    Path path = Path.of(unit.files().files().get(index).hadoopPath().toUri().getPath());
    if (!files.containsKey(index)) {
      files.put(index, Files.readAllBytes(path));
    }
    byte[] file = files.get(index);
    SparseColumnChunk sparse = unit.sparseChunks().get(chunk.offset());
    if (sparse != null) {
      return SparseUnitFile.assembled(sparse, file);
    }
    int start = (int) unit.files().inFile(chunk).offset();
    return Arrays.copyOfRange(file, start, start + (int) chunk.length());
  }

  @RepeatedTest(10)
  void fileOfARowGroup_hasTheRowsOfTheUnit() throws Exception {
    System.out.println("RowGroupFileTest seed " + seed);
    Path path = folder.resolve("whole.parquet");
    PagedFiles.write(path, random);
    ReadUnit unit = unit(path, some(names(ParquetFiles.footer(path))));
    assertThat(rowsOfFiles(unit)).isEqualTo(rows(unit)).hasSize((int) unit.rows());
  }

  @RepeatedTest(5)
  void sparseChunks_areWrittenWithTheirPlaceholderPages() throws Exception {
    System.out.println("RowGroupFileTest seed " + seed);
    Path path = folder.resolve("whole.parquet");
    PagedFiles.writeLarge(path, random);
    Footer footer = ParquetFiles.footer(path);
    ReadUnit whole = unit(ParquetFiles.at(path), footer, names(footer));
    int row = random.nextInt((int) footer.rowGroups().get(0).getRowCount());
    ReadUnit sparse =
        SkippablePages.read(whole, Set.of(KEY), 0, ParquetFiles.CONF, new ScanCounters())
            .skipPages(rowGroup -> (from, to) -> rowGroup == 0 && from <= row && row < to);
    assertThat(sparse.pagesSkipped()).isPositive();
    Path expected = folder.resolve("sparse.parquet");
    Files.write(expected, SparseUnitFile.of(Files.readAllBytes(path), sparse));
    assertThat(rowsOfFiles(sparse)).isEqualTo(rows(unit(expected, whole.columns())));
  }

  @Test
  void rowGroupsOfSeveralFilesAreFound() throws Exception {
    List<ReadUnit> units = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Path path = folder.resolve(i + ".parquet");
      ParquetFiles.write(path, 2_000 + i, 16 << 10);
      units.add(unit(path, List.of("text", "id")));
    }
    ReadUnit coalesced = CoalescedUnit.of(units);
    assertThat(rowsOfFiles(coalesced)).isEqualTo(rows(coalesced)).hasSize((int) coalesced.rows());
  }

  @Test
  void projectedColumns_keepTheirOrder() throws Exception {
    Path path = folder.resolve("whole.parquet");
    PagedFiles.write(path, random);
    Footer footer = ParquetFiles.footer(path);
    List<ProjectedColumn> columns =
        List.of("many", "text", "nested", KEY).stream()
            .map(
                name ->
                    new ProjectedColumn(
                        footer.schema().getType(name),
                        List.of(
                            name.equals("nested")
                                ? ColumnPath.get(name, "inner")
                                : ColumnPath.get(name)),
                        true))
            .toList();
    Footer narrowed = FooterRewriter.project(footer, columns);
    ReadUnit unit = unit(ParquetFiles.at(path), narrowed, names(narrowed));
    assertThat(rowsOfFiles(unit)).isEqualTo(rows(unit));
    assertThat(footerOfFirst(unit).schema()).isEqualTo(narrowed.schema());
  }

  @Test
  void fileOfARowGroup_hasNoReferencesToIndexes() throws Exception {
    Path path = folder.resolve("whole.parquet");
    PagedFiles.write(path, random);
    ReadUnit unit = unit(path, List.of("text", KEY));
    ColumnChunkMetaData old = unit.footer().rowGroups().get(0).getColumns().get(0);
    assertThat(old.getOffsetIndexReference()).isNotNull();
    Footer footer = footerOfFirst(unit);
    // In the order of the file, whatever the unit's is.
    assertThat(names(footer)).containsExactly(KEY, "text");
    for (ColumnChunkMetaData chunk : footer.rowGroups().get(0).getColumns()) {
      assertThat(chunk.getOffsetIndexReference()).isNull();
      assertThat(chunk.getColumnIndexReference()).isNull();
      assertThat(chunk.getBloomFilterOffset()).isNegative();
    }
  }
}
