package io.mooring.parquet.unit;

import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.footer.FooterRewriter;
import io.mooring.parquet.pageskip.SparseColumnChunk;
import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.source.FileRanges;
import io.mooring.parquet.source.FileSequence;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;

/**
 * The unit of reading, upload and decoding: some columns of adjacent row groups of a file, or of
 * several coalesced files.
 *
 * @param footer of the file, or of the coalesced files as if they were one
 * @param rowGroups indices into that footer
 * @param columns names of top-level columns as the file spells them, in the order of the result
 * @param ranges merged byte ranges that hold every needed column chunk
 * @param rows rows in the row groups
 * @param decodedBytes estimated bytes of the decoded rows, by the footer
 * @param sparseChunks the column chunks that skip pages, by their first bytes in the file
 * @param outputChunkBytes decoded bytes aimed at in one table; Long.MAX_VALUE for all in one
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
    Map<Long, SparseColumnChunk> sparseChunks,
    long outputChunkBytes) {
  private static final long ALL = Long.MAX_VALUE;

  /** A unit whose column chunks are read whole and decoded to one table. */
  public ReadUnit(
      FileSequence files,
      Footer footer,
      int[] rowGroups,
      List<String> columns,
      List<FileRange> ranges,
      long rows,
      long decodedBytes) {
    this(files, footer, rowGroups, columns, ranges, rows, decodedBytes, Map.of(), ALL);
  }

  /** This unit with some sparse chunks, and the byte ranges that it then needs. */
  public ReadUnit withSparseChunks(Map<Long, SparseColumnChunk> chunks, List<FileRange> needed) {
    return new ReadUnit(
        files,
        footer,
        rowGroups,
        columns,
        needed,
        rows,
        decodedBytes,
        Map.copyOf(chunks),
        outputChunkBytes);
  }

  /** This unit decoded to tables of about so many bytes. */
  public ReadUnit chunked(long bytes) {
    return new ReadUnit(
        files, footer, rowGroups, columns, ranges, rows, decodedBytes, sparseChunks, bytes);
  }

  /**
   * The chunked unit, if it is expected to exceed so many bytes and can be chunked; else the same
   * unit.
   */
  public ReadUnit chunkedBeyond(long bytes) {
    return decodedBytes > bytes && canBeChunked() ? chunked(bytes) : this;
  }

  /** Whether it can be decoded to several tables; each must have rows of a single file. */
  public boolean canBeChunked() {
    return (rowGroups.length == 1 || rowsAreOfOneFile()) && ChunkedDecoding.supports(this);
  }

  private boolean rowsAreOfOneFile() {
    return files.files().size() == 1
        || Arrays.stream(rowsOfFiles()).filter(rows -> rows > 0).count() <= 1;
  }

  /** The column chunks of its columns in all its row groups. */
  public Stream<ColumnChunkMetaData> columnChunks() {
    return Arrays.stream(rowGroups)
        .mapToObj(footer.rowGroups()::get)
        .flatMap(rowGroup -> rowGroup.getColumns().stream())
        .filter(chunk -> columns.contains(chunk.getPath().toArray()[0]));
  }

  /** Whether it is decoded to several tables, each with some of its rows. */
  public boolean isChunked() {
    return outputChunkBytes != ALL;
  }

  /** How many pages are not read because none of their rows is selected. */
  public int pagesSkipped() {
    return sparseChunks.values().stream().mapToInt(SparseColumnChunk::pagesSkipped).sum();
  }

  /** Whether a column is nested; the footer then has just these columns, in this order. */
  public boolean isNested() {
    return columns.stream().anyMatch(name -> !footer.schema().getType(name).isPrimitive());
  }

  /** Bytes that are read and uploaded. */
  public long encodedBytes() {
    return FileRanges.totalBytes(ranges);
  }

  /** Bytes of column chunks out of these; the others lie between them. */
  public long neededBytes() {
    return columnChunks().map(this::ranges).mapToLong(FileRanges::totalBytes).sum();
  }

  /** The bytes that are needed of one of its column chunks: all, or the pages that are kept. */
  public List<FileRange> ranges(ColumnChunkMetaData chunk) {
    SparseColumnChunk sparse = sparseChunks.get(chunk.getStartingPos());
    List<FileRange> needed =
        sparse == null
            ? List.of(new FileRange(chunk.getStartingPos(), chunk.getTotalSize()))
            : sparse.ranges();
    return needed.stream().filter(range -> range.length() > 0).toList();
  }

  /** Estimated greatest number of device bytes while the unit is decoded. */
  public long deviceBytes() {
    // Pages are decompressed to a scratch copy before they are decoded into columns.
    long decoding = isChunked() ? ChunkedDecoding.of(this).deviceBytes(this) : 2 * decodedBytes;
    return encodedBytes() + sparseBytes() + decoding;
  }

  /** Bytes of the sparse chunks, which are assembled beside the uploaded bytes. */
  private long sparseBytes() {
    return sparseChunks.values().stream().mapToLong(SparseColumnChunk::length).sum();
  }

  /** How many of its rows are in each of the files, in order. */
  public long[] rowsOfFiles() {
    long[] rowsOfFiles = new long[files.files().size()];
    for (int index : rowGroups) {
      var rowGroup = footer.rowGroups().get(index);
      long start = rowGroup.getColumns().get(0).getStartingPos();
      rowsOfFiles[files.indexAt(start)] += rowGroup.getRowCount();
    }
    return rowsOfFiles;
  }

  /**
   * A rewriter of the footer that a decoder is given: sparse chunks have the lengths that they have
   * with their placeholder pages.
   *
   * @throws IOException when the footer cannot be parsed
   */
  public FooterRewriter rewriter() throws IOException {
    FooterRewriter rewriter = new FooterRewriter(footer);
    rewriter.resize(rowGroups, sparseChunks);
    return rewriter;
  }

  /**
   * The Thrift bytes of the footer that a decoder is given.
   *
   * @throws IOException when the footer cannot be rewritten
   */
  public byte[] decoderFooter() throws IOException {
    return sparseChunks.isEmpty() ? footer.thrift() : rewriter().thrift();
  }
}
