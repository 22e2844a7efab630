package io.mooring.parquet.footer;

import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;

/**
 * The assignment of row groups to splits of a file: a row group belongs to the split that its
 * middle lies in. This must be parquet-mr's rule to the byte, because Spark's reader may read the
 * next split.
 */
public final class RowGroups {
  private RowGroups() {}

  /** The indices of the row groups whose middle lies in {@code [start, start + length)}. */
  public static List<Integer> ofSplit(Footer footer, long start, long length) {
    List<Integer> chosen = new ArrayList<>();
    long[] middles = footer.middles();
    for (int i = 0; i < middles.length; i++) {
      if (middles[i] >= start && middles[i] < start + length) {
        chosen.add(i);
      }
    }
    return chosen;
  }

  /**
   * The middles of all row groups.
   *
   * @throws UnreadableOnGpuException when they are not ascending
   */
  static long[] middles(FileMetaData file) throws UnreadableOnGpuException {
    long[] middles = new long[file.getRow_groupsSize()];
    for (int i = 0; i < middles.length; i++) {
      middles[i] = middle(file.getRow_groups().get(i));
      if (i > 0 && middles[i] <= middles[i - 1]) {
        throw new UnreadableOnGpuException("the footer's row groups are not in order");
      }
    }
    return middles;
  }

  private static long middle(RowGroup rowGroup) throws UnreadableOnGpuException {
    long bytes = 0;
    for (ColumnChunk chunk : rowGroup.getColumns()) {
      if (!chunk.isSetMeta_data() || chunk.isSetCrypto_metadata()) {
        throw new UnreadableOnGpuException("columns are encrypted");
      }
      bytes += chunk.getMeta_data().getTotal_compressed_size();
    }
    if (rowGroup.isSetTotal_compressed_size()) {
      bytes = rowGroup.getTotal_compressed_size();
    }
    return start(rowGroup.getColumns().get(0).getMeta_data()) + bytes / 2;
  }

  private static long start(ColumnMetaData first) {
    long data = first.getData_page_offset();
    return first.isSetDictionary_page_offset()
        ? Math.min(data, first.getDictionary_page_offset())
        : data;
  }
}
