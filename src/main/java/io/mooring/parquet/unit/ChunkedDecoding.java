package io.mooring.parquet.unit;

import java.util.EnumSet;
import java.util.Set;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.EncodingStats;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/**
 * The way in which a unit is decoded in chunks: by which of libcudf's readers, and how.
 *
 * @param hybrid true for {@link ai.rapids.cudf.HybridScanReader}, which needs no file in host
 *     memory, false for {@link ai.rapids.cudf.ParquetChunkedReader}
 * @param fewPages whether only the pages of one chunk are decompressed at a time, instead of those
 *     of a whole row group
 */
public record ChunkedDecoding(boolean hybrid, boolean fewPages) {
  // From this limit on libcudf subtracts the encoded bytes from what pages may be decompressed to.
  private static final long ENCODED_COUNT_FROM = 200L << 20;
  private static final long NO_LIMIT = 0;
  private static final Set<Encoding> SIMPLE =
      EnumSet.of(
          Encoding.PLAIN,
          Encoding.PLAIN_DICTIONARY,
          Encoding.RLE_DICTIONARY,
          Encoding.RLE,
          Encoding.BIT_PACKED);

  /**
   * Whether a unit can be decoded in chunks at all: libcudf 26.08.1 releases its buffer for pages
   * of DELTA_BYTE_ARRAY after the first chunk and crashes on the second. Column chunks that list no
   * encodings are treated the same.
   */
  static boolean supports(ReadUnit unit) {
    return unit.columnChunks()
        .map(ColumnChunkMetaData::getEncodings)
        .noneMatch(all -> all.isEmpty() || all.contains(Encoding.DELTA_BYTE_ARRAY));
  }

  /** The way for a unit that is {@linkplain ReadUnit#canBeChunked supported}. */
  public static ChunkedDecoding of(ReadUnit unit) {
    boolean fewPages = unit.columnChunks().allMatch(chunk -> canBeFewPages(unit, chunk));
    return new ChunkedDecoding(
        fewPages && unit.rowGroups().length == 1 && !unit.isNested(), fewPages);
  }

  /**
   * Whether libcudf 26.08.1 can decompress a column chunk a few pages at a time. It then drops
   * pages that continue a list, and never ends with Zstd pages of version 2: it asks nvCOMP for
   * their sizes, and passes the levels before the data as if they were a Zstd frame.
   */
  private static boolean canBeFewPages(ReadUnit unit, ColumnChunkMetaData chunk) {
    EncodingStats pages = chunk.getEncodingStats();
    // Placeholder pages are of version 2.
    boolean version2 = pages == null || pages.usesV2Pages() || !unit.sparseChunks().isEmpty();
    return unit.footer().schema().getMaxRepetitionLevel(chunk.getPath().toArray()) == 0
        && SIMPLE.containsAll(chunk.getEncodings())
        && !(version2 && chunk.getCodec() == CompressionCodecName.ZSTD);
  }

  /**
   * The limit of decompressed bytes that libcudf is given.
   *
   * @param outputChunkBytes decoded bytes aimed at in one table
   * @param encodedBytes of the row group
   */
  public long passReadLimit(long outputChunkBytes, long encodedBytes) {
    if (!fewPages) {
      return NO_LIMIT;
    }
    return outputChunkBytes < ENCODED_COUNT_FROM
        ? outputChunkBytes
        : outputChunkBytes + encodedBytes;
  }

  /** Estimated device bytes that decoding needs beside the uploaded bytes. */
  long deviceBytes(ReadUnit unit) {
    long chunk = Math.min(unit.outputChunkBytes(), unit.decodedBytes());
    // Between chunks decompressed pages stay, and so may the filtered rows of a chunk.
    long decoding = (fewPages ? chunk : unit.decodedBytes()) + 2 * chunk;
    // The uploaded bytes are freed only when the last row group has been copied back.
    boolean twice = !hybrid && unit.rowGroups().length > 1;
    return decoding + (twice ? unit.encodedBytes() : 0);
  }
}
