package io.mooring.parquet.prune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.parquet.files.ParquetFiles;
import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.footer.Footers;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.unit.ScanCounters.Counter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.parquet.filter2.predicate.FilterApi;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.internal.filter2.columnindex.RowRanges;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageIndexCacheTest {
  private static final int ROWS = 50_000;
  private static final FilterPredicate PREDICATE = FilterApi.lt(FilterApi.longColumn("id"), 1000L);

  @TempDir Path folder;
  private Path path;
  private ParquetFile file;

  @BeforeEach
  void write() throws IOException {
    path = folder.resolve("a.parquet");
    file = ParquetFiles.write(path, ROWS, 64 << 20);
  }

  private RowRanges rows(Footer footer, ScanCounters counters) throws IOException {
    return new PageIndexFilter(file, footer, PREDICATE)
        .rows(List.of(0), ParquetFiles.CONF, counters)
        .get(0);
  }

  @Test
  void pageIndexes_areReadOnceForAFooter() throws Exception {
    Footer footer = Footers.read(file, 1 << 20);
    ScanCounters first = new ScanCounters();
    RowRanges rows = rows(footer, first);
    assertThat(rows.rowCount()).isBetween(1000L, ROWS - 1L);
    assertThat(first.value(Counter.PAGE_INDEX_BYTES)).isPositive();
    Files.delete(path);
    ScanCounters second = new ScanCounters();
    assertThat(rows(footer, second).rowCount()).isEqualTo(rows.rowCount());
    assertThat(second.value(Counter.PAGE_INDEX_BYTES)).isZero();
  }

  @Test
  void pageIndexes_withoutRoom_areReadEachTime() throws Exception {
    Footer footer = Footers.read(file, 8);
    long rows = rows(footer, new ScanCounters()).rowCount();
    assertThat(rows(footer, new ScanCounters()).rowCount()).isEqualTo(rows);
    Files.delete(path);
    assertThatThrownBy(() -> rows(footer, new ScanCounters())).isInstanceOf(IOException.class);
  }
}
