package io.mooring.parquet.pageskip;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.parquet.bytes.BytesUtils;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Util;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;

/**
 * Tiny data pages that stand for those of a flat column that are not read, with as many rows: nulls
 * where the column may be null, else one value over and over. Of version 2, whose pages say for
 * themselves that they are not compressed. After the format's description (Data Pages, Run Length
 * Encoding and Dictionary Encoding, in parquet-format).
 *
 * @param dictionary a page to go before the first of the chunk; empty where none is needed
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record PlaceholderPages(Form form, byte[] dictionary) {
  private enum Form {
    NULLS,
    FALSES,
    FIRST_OF_DICTIONARY
  }

  /**
   * Those that fit a chunk.
   *
   * @throws IOException when its codec is not there
   */
  static PlaceholderPages of(PageLayout pages) throws IOException {
    PrimitiveType type = pages.chunk().getPrimitiveType();
    if (type.isRepetition(Type.Repetition.OPTIONAL)) {
      return new PlaceholderPages(Form.NULLS, new byte[0]);
    } else if (type.getPrimitiveTypeName() == PrimitiveTypeName.BOOLEAN) {
      return new PlaceholderPages(Form.FALSES, new byte[0]);
    }
    boolean hasDictionary = pages.dictionary().length() > 0;
    return new PlaceholderPages(
        Form.FIRST_OF_DICTIONARY,
        hasDictionary ? new byte[0] : ZeroDictionary.page(type, pages.chunk().getCodec()));
  }

  /**
   * Header and body of a page of {@code rows} rows.
   *
   * @throws IOException never: it is written to memory
   */
  byte[] page(int rows) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    if (form == Form.FALSES) {
      body.write(length(run(rows).length));
    } else if (form == Form.FIRST_OF_DICTIONARY) {
      // The width of an index, in bits.
      body.write(1);
    }
    body.write(run(rows));
    ByteArrayOutputStream page = new ByteArrayOutputStream();
    Util.writePageHeader(header(rows, body.size()), page);
    body.writeTo(page);
    return page.toByteArray();
  }

  private PageHeader header(int rows, int bytes) {
    boolean nulls = form == Form.NULLS;
    Encoding encoding =
        switch (form) {
          case NULLS -> Encoding.PLAIN;
          case FALSES -> Encoding.RLE;
          case FIRST_OF_DICTIONARY -> Encoding.RLE_DICTIONARY;
        };
    DataPageHeaderV2 data =
        new DataPageHeaderV2(rows, nulls ? rows : 0, rows, encoding, nulls ? bytes : 0, 0);
    data.setIs_compressed(false);
    PageHeader header = new PageHeader(PageType.DATA_PAGE_V2, bytes, bytes);
    header.setData_page_header_v2(data);
    return header;
  }

  /** One run of zeros, of at most eight bits each. */
  private static byte[] run(int rows) throws IOException {
    ByteArrayOutputStream run = new ByteArrayOutputStream();
    BytesUtils.writeUnsignedVarInt(rows << 1, run);
    run.write(0);
    return run.toByteArray();
  }

  private static byte[] length(int bytes) {
    return ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(bytes).array();
  }
}
