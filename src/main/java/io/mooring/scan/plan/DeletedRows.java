package io.mooring.scan.plan;

import java.util.Arrays;
import java.util.List;
import org.apache.parquet.hadoop.metadata.BlockMetaData;

/**
 * The rows of a file that are deleted though the file has them. Immutable.
 *
 * @param indexes of the rows in the file, ascending
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record DeletedRows(long[] indexes) {
  public static final DeletedRows NONE = new DeletedRows(new long[0]);

  public boolean isEmpty() {
    return indexes.length == 0;
  }

  /** How many there are from a row of the file on, before another. */
  public int countIn(long from, long to) {
    return below(to) - below(from);
  }

  /** These, counted from the first row on. */
  public int[] in(long from, long to) {
    int first = below(from);
    int[] found = new int[below(to) - first];
    Arrays.setAll(found, i -> (int) (indexes[first + i] - from));
    return found;
  }

  /** How many there are in some row groups of the file. */
  public long countIn(List<BlockMetaData> file, List<Integer> rowGroups) {
    return rowGroups.stream()
        .mapToLong(
            i -> {
              long first = firstRow(file, i);
              return countIn(first, first + file.get(i).getRowCount());
            })
        .sum();
  }

  /** The index in the file of a row group's first row. */
  public static long firstRow(List<BlockMetaData> file, int rowGroup) {
    return file.subList(0, rowGroup).stream().mapToLong(BlockMetaData::getRowCount).sum();
  }

  private int below(long row) {
    int at = Arrays.binarySearch(indexes, row);
    return at < 0 ? -at - 1 : at;
  }
}
