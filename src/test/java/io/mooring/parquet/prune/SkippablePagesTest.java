package io.mooring.parquet.prune;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.parquet.files.PagedFiles;
import io.mooring.parquet.files.ParquetFiles;
import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.pageskip.RowSelection;
import io.mooring.parquet.read.SparseUnitFile;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.unit.UnitPlanner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.io.TempDir;

/**
 * A unit with skipped pages, put together as on the device, is still a file that parquet-mr reads:
 * with the wanted rows in it, and placeholders for others.
 */
class SkippablePagesTest {
  private static final String KEY = "key";

  @TempDir Path folder;
  private final long seed = Long.getLong("mooring.test.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @RepeatedTest(20)
  void skipPages_keepsSelectedRowsAndNeedsNoOtherBytes() throws Exception {
    System.out.println("SkippablePagesTest seed " + seed);
    Path path = folder.resolve("whole.parquet");
    PagedFiles.write(path, random);
    Footer footer = ParquetFiles.footer(path);
    ReadUnit unit = unit(path, footer);
    List<BitSet> wanted = wanted(footer);
    ReadUnit sparse =
        SkippablePages.read(unit, Set.of(KEY), 0, ParquetFiles.CONF, new ScanCounters())
            .skipPages(rowGroup -> rows(wanted.get(rowGroup)));
    assertThat(sparse.encodedBytes()).isLessThanOrEqualTo(unit.encodedBytes());
    assertThat(sparse.pagesSkipped() > 0).isEqualTo(sparse != unit);
    Path sparsePath = folder.resolve("sparse.parquet");
    Files.write(sparsePath, SparseUnitFile.of(Files.readAllBytes(path), sparse));
    assertSameWhereWanted(rows(path), rows(sparsePath), wanted, footer);
  }

  private static ReadUnit unit(Path path, Footer footer) throws Exception {
    List<String> columns =
        footer.schema().getFields().stream().map(column -> column.getName()).toList();
    List<Integer> all = IntStream.range(0, footer.rowGroups().size()).boxed().toList();
    return new UnitPlanner(ParquetFiles.at(path), footer, columns, Long.MAX_VALUE, 0)
        .plan(all)
        .get(0);
  }

  /** A few rows here and there, of some row groups none and of some all. */
  private List<BitSet> wanted(Footer footer) {
    List<BitSet> wanted = new ArrayList<>();
    for (var rowGroup : footer.rowGroups()) {
      int rows = (int) rowGroup.getRowCount();
      BitSet some = new BitSet(rows);
      for (int i = random.nextInt(4); i > 0; i--) {
        int from = random.nextInt(rows);
        some.set(from, Math.min(rows, from + 1 + random.nextInt(50)));
      }
      if (random.nextInt(8) == 0) {
        some.set(0, rows);
      }
      wanted.add(some);
    }
    return wanted;
  }

  private static RowSelection rows(BitSet wanted) {
    return (from, to) -> {
      int next = wanted.nextSetBit((int) from);
      return next >= 0 && next < to;
    };
  }

  private static List<String> rows(Path path) throws Exception {
    List<String> rows = new ArrayList<>();
    try (ParquetReader<Group> reader =
        ParquetReader.builder(new GroupReadSupport(), new org.apache.hadoop.fs.Path(path.toUri()))
            .build()) {
      for (Group row = reader.read(); row != null; row = reader.read()) {
        rows.add(row.toString());
      }
    }
    return rows;
  }

  private static void assertSameWhereWanted(
      List<String> whole, List<String> sparseRows, List<BitSet> wanted, Footer footer) {
    assertThat(sparseRows).hasSameSizeAs(whole);
    int row = 0;
    for (int i = 0; i < wanted.size(); i++) {
      for (int j = 0; j < footer.rowGroups().get(i).getRowCount(); j++, row++) {
        if (wanted.get(i).get(j)) {
          assertThat(sparseRows.get(row)).isEqualTo(whole.get(row));
        } else {
          // Columns that are not sparse are there all the same: a filter will want them.
          assertThat(key(sparseRows.get(row))).isEqualTo(key(whole.get(row)));
        }
      }
    }
  }

  private static String key(String row) {
    return row.lines().filter(line -> line.startsWith(KEY + ":")).findFirst().orElseThrow();
  }

  @RepeatedTest(5)
  void skipPages_skipsEveryPageWithoutASelectedRow() throws Exception {
    System.out.println("SkippablePagesTest seed " + seed);
    Path path = folder.resolve("counted.parquet");
    PagedFiles.writeLarge(path, random);
    Footer footer = ParquetFiles.footer(path);
    int row = random.nextInt((int) footer.rowGroups().get(0).getRowCount());
    BitSet one = new BitSet();
    one.set(row);
    ReadUnit sparse =
        SkippablePages.read(
                unit(path, footer), Set.of(KEY), 0, ParquetFiles.CONF, new ScanCounters())
            .skipPages(rowGroup -> rows(rowGroup == 0 ? one : new BitSet()));
    long expected = 0;
    try (ParquetFileReader reader = PagedFiles.reader(path)) {
      for (var rowGroup : reader.getFooter().getBlocks()) {
        for (var chunk : rowGroup.getColumns()) {
          boolean first = rowGroup == reader.getFooter().getBlocks().get(0);
          int pages = reader.readOffsetIndex(chunk).getPageCount();
          boolean thinnable =
              chunk.getPath().size() == 1
                  && !Set.of(KEY, "many").contains(chunk.getPath().toDotString());
          expected += thinnable ? pages - (first ? 1 : 0) : 0;
        }
      }
    }
    assertThat(expected).isPositive();
    assertThat(sparse.pagesSkipped()).isEqualTo((int) expected);
  }
}
