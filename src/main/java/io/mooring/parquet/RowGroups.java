package io.mooring.parquet;

import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.hadoop.metadata.BlockMetaData;

/** Which row groups belong to a split of a file. */
public final class RowGroups {
  private RowGroups() {}

  /**
   * The row groups whose middle lies in {@code [start, start + length)}, so that every row group
   * belongs to exactly one split; the rule of parquet-mr, which Spark's reader follows.
   */
  public static List<Integer> ofSplit(Footer footer, long start, long length) {
    List<Integer> chosen = new ArrayList<>();
    for (int i = 0; i < footer.rowGroups().size(); i++) {
      BlockMetaData block = footer.rowGroups().get(i);
      long middle = block.getStartingPos() + block.getCompressedSize() / 2;
      if (middle >= start && middle < start + length) {
        chosen.add(i);
      }
    }
    return chosen;
  }
}
