package io.mooring.parquet.footer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.parquet.files.ParquetFiles;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.parquet.source.RequestCounts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.parquet.HadoopReadOptions;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RowGroupsTest {
  @TempDir Path folder;

  @Test
  void everySplittingGivesEachRowGroupToTheSplitThatSparksReaderGivesItTo() throws Exception {
    ParquetFile file = ParquetFiles.write(folder.resolve("a.parquet"), 20_000, 32 << 10);
    Footer footer = FooterReader.read(file, ParquetFiles.CONF, RequestCounts.NONE, false);
    assertThat(footer.rowGroups()).hasSizeGreaterThan(5);
    for (long size : new long[] {1000, 4567, 33_000, 100_000, file.length()}) {
      List<Integer> all = new ArrayList<>();
      for (long start = 0; start < file.length(); start += size) {
        List<Integer> ours = RowGroups.ofSplit(footer, start, size);
        assertThat(positions(footer, ours)).isEqualTo(sparks(file, start, start + size));
        all.addAll(ours);
      }
      assertThat(all).isEqualTo(IntStream.range(0, footer.rowGroups().size()).boxed().toList());
    }
  }

  private static List<Long> positions(Footer footer, List<Integer> rowGroups) {
    return rowGroups.stream().map(i -> footer.rowGroups().get(i).getStartingPos()).toList();
  }

  private static List<Long> sparks(ParquetFile file, long start, long end) throws Exception {
    var options =
        HadoopReadOptions.builder(ParquetFiles.CONF, file.hadoopPath()).withRange(start, end);
    try (ParquetFileReader reader =
        ParquetFileReader.open(
            HadoopInputFile.fromPath(file.hadoopPath(), ParquetFiles.CONF), options.build())) {
      return reader.getRowGroups().stream().map(BlockMetaData::getStartingPos).toList();
    }
  }

  private static RowGroup rowGroup(long dataOffset, long bytes) {
    ColumnMetaData metadata = new ColumnMetaData();
    metadata.setData_page_offset(dataOffset);
    metadata.setTotal_compressed_size(bytes);
    ColumnChunk chunk = new ColumnChunk();
    chunk.setMeta_data(metadata);
    RowGroup rowGroup = new RowGroup();
    rowGroup.setColumns(List.of(chunk));
    return rowGroup;
  }

  private static FileMetaData file(RowGroup... rowGroups) {
    FileMetaData file = new FileMetaData();
    file.setRow_groups(List.of(rowGroups));
    return file;
  }

  @Test
  void theDictionaryPageCountsWhereItIsSetEvenToZero() throws Exception {
    RowGroup rowGroup = rowGroup(1000, 100);
    assertThat(RowGroups.middles(file(rowGroup))).containsExactly(1050);
    rowGroup.getColumns().get(0).getMeta_data().setDictionary_page_offset(0);
    assertThat(RowGroups.middles(file(rowGroup))).containsExactly(50);
  }

  @Test
  void theRowGroupsOwnSizeCountsWhereItIsSet() throws Exception {
    RowGroup rowGroup = rowGroup(1000, 100);
    rowGroup.setTotal_compressed_size(300);
    assertThat(RowGroups.middles(file(rowGroup))).containsExactly(1150);
  }

  @Test
  void rowGroupsThatCannotBeToldApartAreSparksToRead() {
    assertThatThrownBy(() -> RowGroups.middles(file(rowGroup(4, 100), rowGroup(4, 100))))
        .isInstanceOf(UnreadableOnGpuException.class);
    assertThatThrownBy(() -> RowGroups.middles(file(rowGroup(400, 100), rowGroup(4, 100))))
        .isInstanceOf(UnreadableOnGpuException.class);
  }

  @Test
  void columnsWithoutPlainMetadataAreEncrypted() {
    RowGroup rowGroup = rowGroup(4, 100);
    rowGroup.getColumns().get(0).unsetMeta_data();
    assertThatThrownBy(() -> RowGroups.middles(file(rowGroup)))
        .isInstanceOf(UnreadableOnGpuException.class)
        .hasMessageContaining("encrypted");
  }
}
