package io.mooring.parquet;

import java.util.List;
import java.util.Map;

/**
 * What is read, uploaded and decoded as one: some columns of neighbouring row groups of a file, or
 * of several files that were coalesced.
 *
 * @param footer of the file, or of the coalesced files as if they were one
 * @param rowGroups indices into that footer
 * @param columns names of top-level columns as the file spells them, in the order wanted
 * @param ranges merged byte ranges that hold every needed column chunk
 * @param rows rows in the row groups
 * @param decodedBytes estimate from the footer of what decoding makes of them
 * @param thinned the chunks of which not all pages are read, by their first bytes
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, only handed to the decoder
public record ReadUnit(
    FileSequence files,
    Footer footer,
    int[] rowGroups,
    List<String> columns,
    List<FileRange> ranges,
    long rows,
    long decodedBytes,
    Map<Long, ThinnedChunk> thinned) {

  /** A unit whose chunks are read as a whole. */
  public ReadUnit(
      FileSequence files,
      Footer footer,
      int[] rowGroups,
      List<String> columns,
      List<FileRange> ranges,
      long rows,
      long decodedBytes) {
    this(files, footer, rowGroups, columns, ranges, rows, decodedBytes, Map.of());
  }

  /** The unit with chunks that are thinned, and the byte ranges that it then needs. */
  ReadUnit withThinned(Map<Long, ThinnedChunk> chunks, List<FileRange> needed) {
    return new ReadUnit(
        files, footer, rowGroups, columns, needed, rows, decodedBytes, Map.copyOf(chunks));
  }

  /** Pages that are not read because no row of theirs is wanted. */
  public int pagesLeft() {
    return thinned.values().stream().mapToInt(ThinnedChunk::pagesLeft).sum();
  }

  /** Whether a column has parts; the footer then has just these columns, in this order. */
  boolean isNested() {
    return columns.stream().anyMatch(name -> !footer.schema().getType(name).isPrimitive());
  }

  /** Bytes read and uploaded. */
  public long encodedBytes() {
    return FileRanges.totalBytes(ranges);
  }

  /** Device bytes needed at most while the unit is decoded, estimated. */
  long deviceBytes() {
    // Pages are decompressed to a scratch copy before they are decoded into columns.
    return encodedBytes() + thinnedBytes() + 2 * decodedBytes;
  }

  /** Thinned chunks are put together beside what was uploaded. */
  private long thinnedBytes() {
    return thinned.values().stream().mapToLong(ThinnedChunk::length).sum();
  }

  /** How many of the rows are in each of the files, in order. */
  public long[] rowsOfFiles() {
    long[] rowsOfFiles = new long[files.files().size()];
    for (int index : rowGroups) {
      var rowGroup = footer.rowGroups().get(index);
      long start = rowGroup.getColumns().get(0).getStartingPos();
      rowsOfFiles[files.indexAt(start)] += rowGroup.getRowCount();
    }
    return rowsOfFiles;
  }
}
