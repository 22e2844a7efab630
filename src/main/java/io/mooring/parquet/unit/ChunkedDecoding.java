package io.mooring.parquet.unit;

import java.util.EnumSet;
import java.util.Set;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.EncodingStats;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/**
 * By which of libcudf's readers a unit is decoded in chunks, and how.
 *
 * @param hybrid whether by {@link ai.rapids.cudf.HybridScanReader}, which needs no file in host
 *     memory, and not by {@link ai.rapids.cudf.ParquetChunkedReader}
 * @param fewPages whether only as many pages are decompressed at a time as a chunk takes, and not
 *     those of a whole row group
 */
public record ChunkedDecoding(boolean hybrid, boolean fewPages) {
  // From here on libcudf takes the encoded bytes off what pages may be decompressed to.
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
   * Whether a unit can be decoded in chunks at all: libcudf 26.08.1 gives away what it keeps for
   * pages of DELTA_BYTE_ARRAY after the first chunk of them, and makes a segmentation fault of the
   * second. Of a chunk without encodings that is not known.
   */
  static boolean takes(ReadUnit unit) {
    return unit.columnChunks()
        .map(ColumnChunkMetaData::getEncodings)
        .noneMatch(all -> all.isEmpty() || all.contains(Encoding.DELTA_BYTE_ARRAY));
  }

  /** That of a unit which it takes. */
  public static ChunkedDecoding of(ReadUnit unit) {
    boolean fewPages = unit.columnChunks().allMatch(chunk -> canBeFewPages(unit, chunk));
    return new ChunkedDecoding(
        fewPages && unit.rowGroups().length == 1 && !unit.isNested(), fewPages);
  }

  /**
   * Where libcudf 26.08.1 decompresses a few pages at a time, it leaves out pages that go on with a
   * list, and makes no end of Zstd pages of version 2: it asks nvCOMP about them before, and shows
   * it the levels in front of the data as if they were a Zstd frame.
   */
  private static boolean canBeFewPages(ReadUnit unit, ColumnChunkMetaData chunk) {
    EncodingStats pages = chunk.getEncodingStats();
    // Pages that stand for those left out are of version 2.
    boolean version2 = pages == null || pages.usesV2Pages() || !unit.sparseChunks().isEmpty();
    return unit.footer().schema().getMaxRepetitionLevel(chunk.getPath().toArray()) == 0
        && SIMPLE.containsAll(chunk.getEncodings())
        && !(version2 && chunk.getCodec() == CompressionCodecName.ZSTD);
  }

  /**
   * What libcudf is told of how many bytes it may have in work.
   *
   * @param outputChunkBytes decoded bytes aimed at in one table
   * @param encodedBytes of the row group
   */
  public long bytesInWork(long outputChunkBytes, long encodedBytes) {
    if (!fewPages) {
      return NO_LIMIT;
    }
    return outputChunkBytes < ENCODED_COUNT_FROM ? outputChunkBytes : outputChunkBytes + encodedBytes;
  }

  /** Device bytes that decoding needs beside what was uploaded, estimated. */
  long deviceBytes(ReadUnit unit) {
    long chunk = Math.min(unit.outputChunkBytes(), unit.decodedBytes());
    // Between chunks decompressed pages stay, beside what a filter leaves of the chunk.
    long decoding = (fewPages ? chunk : unit.decodedBytes()) + 2 * chunk;
    // What was uploaded is freed when the last row group goes up again.
    boolean twice = !hybrid && unit.rowGroups().length > 1;
    return decoding + (twice ? unit.encodedBytes() : 0);
  }
}
