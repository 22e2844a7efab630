package io.mooring.parquet.verify;

import java.io.IOException;
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
}
