package io.mooring.parquet.verify;

import io.mooring.parquet.thrift.ThriftReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.Set;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/**
 * Checks that the headers of a column chunk's pages fit each other and the footer, page by page in
 * order. After the format's description (parquet.thrift and Encodings.md in parquet-format).
 */
final class PageHeaderCheck {
  private final ColumnDescriptor column;
  private final CompressionCodecName codec;
  private final Set<Encoding> encodings = EnumSet.noneOf(Encoding.class);
  private final PlainSizes sizes;
  private final ChunkTotals totals;
  private int pages;
  private boolean hasDictionary;

  PageHeaderCheck(ColumnChunkMetaData chunk, ColumnDescriptor column, ChunkTotals totals) {
    this.column = column;
    this.codec = chunk.getCodec();
    this.sizes = new PlainSizes(column);
    this.totals = totals;
    for (var encoding : chunk.getEncodings()) {
      encodings.add(same(Encoding.valueOf(encoding.name())));
    }
  }

  /** Maps the older name of dictionary indices to the newer one. */
  private static Encoding same(Encoding encoding) {
    return encoding == Encoding.PLAIN_DICTIONARY ? Encoding.RLE_DICTIONARY : encoding;
  }

  /**
   * Checks the next page's header.
   *
   * @param headerBytes length of the header
   * @param room bytes between the header and the chunk's end
   * @throws IOException when it does not fit, with the reason
   */
  void check(PageHeader page, int headerBytes, long room) throws IOException {
    require(page.compressedBytes() >= 0 && page.compressedBytes() <= room, "its size");
    require(page.uncompressedBytes() >= 0 && page.values() >= 0, "a size is negative");
    boolean sameSize = page.compressedBytes() == page.uncompressedBytes();
    boolean stored = codec == CompressionCodecName.UNCOMPRESSED || !page.compressed();
    require(sameSize || !stored, "its uncompressed size");
    if (page.isDictionary()) {
      checkDictionary(page);
    } else {
      checkData(page);
    }
    totals.add(page, headerBytes);
    pages++;
  }

  /**
   * Checks the first bytes of a page whose header was checked, as far as they are there.
   *
   * @throws IOException when levels are not as long as the header says, or values not of the
   *     footer's codec
   */
  void checkBeginning(PageHeader page, ByteBuffer bytes) throws IOException {
    int repetitions = page.repetitionBytes();
    int definitions = page.definitionBytes();
    if (page.isV2() && bytes.limit() >= repetitions + definitions) {
      checkRuns(page, bytes.slice(0, repetitions), column.getMaxRepetitionLevel());
      checkRuns(page, bytes.slice(repetitions, definitions), column.getMaxDefinitionLevel());
    }
    require(
        CodecMagic.matches(codec, page, bytes),
        "its values are not compressed by the footer's codec");
  }

  private static void checkRuns(PageHeader page, ByteBuffer levels, int highest)
      throws IOException {
    boolean fit = highest == 0 || LevelRunCheck.matches(levels, highest, page.values());
    require(fit, "the size of its levels");
  }

  private void checkDictionary(PageHeader page) throws IOException {
    require(pages == 0, "a dictionary is not the first page");
    Encoding encoding = page.encoding();
    require(encoding == Encoding.PLAIN || encoding == Encoding.PLAIN_DICTIONARY, "its encoding");
    require(sizes.isExactly(page.values(), page.uncompressedBytes()), "its number of values");
    hasDictionary = true;
  }

  private void checkData(PageHeader page) throws IOException {
    Encoding encoding = same(page.encoding());
    // Some writers list no encodings.
    boolean isListed = encodings.isEmpty() || encodings.contains(encoding);
    require(isListed && sizes.supports(encoding), "its encoding");
    require(encoding != Encoding.RLE_DICTIONARY || hasDictionary, "a dictionary is missing");
    if (page.isV2()) {
      checkV2(page);
    } else {
      checkV1(page);
    }
  }

  private void checkV1(PageHeader page) throws IOException {
    checkLevels(page.definitionEncoding(), column.getMaxDefinitionLevel());
    checkLevels(page.repetitionEncoding(), column.getMaxRepetitionLevel());
    if (column.getMaxDefinitionLevel() == 0 && page.encoding() == Encoding.PLAIN) {
      require(sizes.canHold(page.values(), page.uncompressedBytes()), "its number of values");
    }
  }

  private static void checkLevels(Encoding encoding, int most) throws IOException {
    boolean isForNone = most == 0 && encoding == Encoding.BIT_PACKED;
    require(encoding == Encoding.RLE || isForNone, "the encoding of its levels");
  }

  private void checkV2(PageHeader page) throws IOException {
    int definitions = page.definitionBytes();
    int repetitions = page.repetitionBytes();
    boolean definitionsFit = column.getMaxDefinitionLevel() > 0 || definitions == 0;
    boolean repetitionsFit = column.getMaxRepetitionLevel() > 0 || repetitions == 0;
    long levels = (long) definitions + repetitions;
    long most = Math.min(page.compressedBytes(), page.uncompressedBytes());
    require(definitions >= 0 && repetitions >= 0 && levels <= most, "the size of its levels");
    require(definitionsFit && repetitionsFit, "the size of its levels");
    int mostNulls = column.getMaxDefinitionLevel() > 0 ? page.values() : 0;
    require(page.nulls() >= 0 && page.nulls() <= mostNulls, "its number of nulls");
    require(page.rows() >= 0 && page.rows() <= page.values(), "its number of rows");
    if (column.getMaxRepetitionLevel() == 0) {
      checkFlatV2(page, page.uncompressedBytes() - levels);
    }
  }

  private void checkFlatV2(PageHeader page, long bytes) throws IOException {
    require(page.rows() == page.values(), "its number of rows");
    boolean fits = sizes.canHold(page.values() - page.nulls(), bytes);
    require(fits || page.encoding() != Encoding.PLAIN, "its number of values");
  }

  /**
   * Checks the totals after the last page.
   *
   * @throws IOException when they are not what the footer says, with the reason
   */
  void end() throws IOException {
    totals.end();
  }

  private static void require(boolean holds, String what) throws IOException {
    if (!holds) {
      throw new IOException(what);
    }
  }

  /**
   * Checks the magic number, or the length, at the beginning of compressed bytes: with a footer
   * that names another codec the GPU would run the wrong decompressor. After RFC 1952 (gzip), RFC
   * 8878 (Zstandard) and Snappy's format_description.txt.
   */
  private static final class CodecMagic {
    private static final int GZIP = 0x8b1f;
    private static final int ZSTD = 0xfd2fb528;
    private static final int LZ4_LITERALS = 0xf0;

    private CodecMagic() {}

    /**
     * Whether a page's values begin as the codec's do.
     *
     * @param bytes the part of the page's body that has been read
     */
    static boolean matches(CompressionCodecName codec, PageHeader page, ByteBuffer bytes) {
      int levels = page.definitionBytes() + page.repetitionBytes();
      int length = page.compressedBytes() - levels;
      if (!page.compressed() || length < Integer.BYTES || bytes.limit() - levels < Integer.BYTES) {
        return true;
      }
      ByteBuffer values = bytes.slice(levels, Math.min(length, bytes.limit() - levels));
      int magic = values.order(ByteOrder.LITTLE_ENDIAN).getInt(0);
      boolean isGzip = (magic & 0xffff) == GZIP;
      return switch (codec) {
        case GZIP -> isGzip;
        case ZSTD -> magic == ZSTD;
        case SNAPPY -> snappyLength(values) == page.uncompressedBytes() - levels;
          // No LZ4 block begins with a magic number, nor without a literal, as empty blocks and
          // Hadoop's frames of LZ4 do: it would copy from before its first byte.
        case LZ4_RAW -> !isGzip && magic != ZSTD && (magic & LZ4_LITERALS) != 0;
        default -> true;
      };
    }

    private static long snappyLength(ByteBuffer values) {
      try {
        return new ThriftReader(values).varint();
      } catch (IOException e) {
        return -1;
      }
    }
  }
}
