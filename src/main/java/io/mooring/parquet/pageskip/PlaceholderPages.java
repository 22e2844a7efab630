package io.mooring.parquet.pageskip;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.bytes.BytesUtils;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.CodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;

/**
 * Tiny data pages with as many rows as skipped pages of a flat column: nulls where the column may
 * be null, else one value repeated. They are of version 2, whose headers say whether a page is
 * compressed. After the format's description (Data Pages, Run Length Encoding and Dictionary
 * Encoding in parquet-format).
 *
 * @param dictionary a dictionary page to go before the chunk's first page; empty without need
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record PlaceholderPages(Form form, byte[] dictionary) {
  private enum Form {
    NULLS,
    FALSES,
    FIRST_OF_DICTIONARY
  }

  /**
   * Placeholder pages for a column chunk.
   *
   * @throws IOException when its codec is missing
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
        hasDictionary ? new byte[0] : dictionary(type, pages.chunk().getCodec()));
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
      // The width of a dictionary index, in bits.
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

  /** A dictionary page with one value, whose bytes are zero. */
  private static byte[] dictionary(PrimitiveType type, CompressionCodecName codec)
      throws IOException {
    byte[] value = new byte[valueBytes(type)];
    byte[] compressed = compressed(value, codec);
    PageHeader header = new PageHeader(PageType.DICTIONARY_PAGE, value.length, compressed.length);
    header.setDictionary_page_header(new DictionaryPageHeader(1, Encoding.PLAIN));
    ByteArrayOutputStream page = new ByteArrayOutputStream();
    Util.writePageHeader(header, page);
    page.write(compressed);
    return page.toByteArray();
  }

  private static byte[] compressed(byte[] value, CompressionCodecName codec) throws IOException {
    // Called through the interface: the class's methods differ between versions of parquet-mr.
    CompressionCodecFactory codecs = new CodecFactory(new Configuration(false), value.length);
    try {
      return codecs.getCompressor(codec).compress(BytesInput.from(value)).toByteArray();
    } finally {
      codecs.release();
    }
  }

  private static int valueBytes(PrimitiveType type) {
    return switch (type.getPrimitiveTypeName()) {
      case INT32, FLOAT -> Integer.BYTES;
      case INT64, DOUBLE -> Long.BYTES;
      case INT96 -> 12;
      case FIXED_LEN_BYTE_ARRAY -> type.getTypeLength();
        // An empty string is its length.
      case BINARY -> Integer.BYTES;
      case BOOLEAN -> throw new IllegalArgumentException("Booleans have no dictionaries");
    };
  }
}
