package io.mooring.parquet;

import java.util.List;

/**
 * What is read, uploaded and decoded as one: some columns of neighbouring row groups of one file.
 *
 * @param columns names of top-level columns as the file spells them, in the order wanted
 * @param ranges merged byte ranges that hold every needed column chunk
 * @param rows rows in the row groups
 * @param decodedBytes estimate from the footer of what decoding makes of them
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, only handed to the decoder
public record ReadUnit(
    ParquetFile file,
    Footer footer,
    int[] rowGroups,
    List<String> columns,
    List<FileRange> ranges,
    long rows,
    long decodedBytes) {

  /** Bytes read from the file and uploaded. */
  public long encodedBytes() {
    return FileRanges.totalBytes(ranges);
  }

  /** Device bytes needed at most while the unit is decoded, estimated. */
  long deviceBytes() {
    // Pages are decompressed to a scratch copy before they are decoded into columns.
    return encodedBytes() + 2 * decodedBytes;
  }
}
