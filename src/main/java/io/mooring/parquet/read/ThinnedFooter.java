package io.mooring.parquet.read;

import io.mooring.parquet.pageskip.SparseColumnChunk;
import io.mooring.parquet.unit.ReadUnit;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Util;

/** The footer of a unit as if its thinned chunks were whole ones. */
final class ThinnedFooter {
  private ThinnedFooter() {}

  /**
   * The Thrift bytes of a unit's footer, with the lengths that its thinned chunks have.
   *
   * @throws IOException when the footer cannot be written again
   */
  static byte[] thrift(ReadUnit unit) throws IOException {
    if (unit.sparseChunks().isEmpty()) {
      return unit.footer().thrift();
    }
    FileMetaData file = Util.readFileMetaData(new ByteArrayInputStream(unit.footer().thrift()));
    for (int index : unit.rowGroups()) {
      RowGroup rowGroup = file.getRow_groups().get(index);
      for (ColumnChunk chunk : rowGroup.getColumns()) {
        SparseColumnChunk thinned = unit.sparseChunks().get(start(chunk.getMeta_data()));
        if (thinned != null) {
          replace(chunk.getMeta_data(), thinned);
          chunk.unsetOffset_index_offset();
          chunk.unsetOffset_index_length();
          chunk.unsetColumn_index_offset();
          chunk.unsetColumn_index_length();
        }
      }
    }
    ByteArrayOutputStream thrift = new ByteArrayOutputStream();
    Util.writeFileMetaData(file, thrift);
    return thrift.toByteArray();
  }

  /** What a decode fails with whose footer cannot be written again. */
  static UncheckedIOException unwritable(ReadUnit unit, IOException cause) {
    return new UncheckedIOException(
        "The footer of " + unit.files() + " cannot be rewritten", cause);
  }

  private static void replace(ColumnMetaData chunk, SparseColumnChunk thinned) {
    chunk.setTotal_compressed_size(thinned.length());
    if (thinned.dictionaryAdded() > 0) {
      chunk.setDictionary_page_offset(thinned.start());
      chunk.setData_page_offset(thinned.start() + thinned.dictionaryAdded());
    }
  }

  /** A chunk's first byte, which names it. */
  static long start(ColumnMetaData chunk) {
    long data = chunk.getData_page_offset();
    long dictionary = chunk.getDictionary_page_offset();
    return dictionary > 0 ? Math.min(data, dictionary) : data;
  }
}
