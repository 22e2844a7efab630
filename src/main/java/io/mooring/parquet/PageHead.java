package io.mooring.parquet;

import java.io.IOException;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageType;

/**
 * What the header of a page says, as far as it is believed while the page is decoded. After the
 * struct PageHeader of parquet.thrift in parquet-format; what is left out there is left out here.
 */
final class PageHead {
  private static final int TYPE = 1;
  private static final int UNCOMPRESSED_BYTES = 2;
  private static final int COMPRESSED_BYTES = 3;
  private static final int CRC = 4;
  private static final int DATA = 5;
  private static final int INDEX = 6;
  private static final int DICTIONARY = 7;
  private static final int DATA_V2 = 8;
  private static final int OTHERS = (1 << DATA) | (1 << INDEX) | (1 << DICTIONARY) | (1 << DATA_V2);

  private final ThriftBytes bytes;
  private int type;
  private int uncompressedBytes;
  private int compressedBytes;
  private int crc;
  private boolean hasCrc;
  private int values;
  private int nulls;
  private int rows;
  private int encoding;
  private int definitionEncoding;
  private int repetitionEncoding;
  private int definitionBytes;
  private int repetitionBytes;
  private boolean compressed = true;

  private PageHead(ThriftBytes bytes) {
    this.bytes = bytes;
  }

  /**
   * Reads a header, and nothing behind it.
   *
   * @throws java.io.EOFException when it goes on behind the end of {@code bytes}
   * @throws IOException when it is no header, or one that not all readers read as the same
   */
  static PageHead read(ThriftBytes bytes) throws IOException {
    PageHead head = new PageHead(bytes);
    int seen = ThriftFields.read(bytes, head::field);
    head.hasCrc = (seen & (1 << CRC)) != 0;
    require(seen, TYPE, UNCOMPRESSED_BYTES, COMPRESSED_BYTES);
    if ((seen & OTHERS) != 1 << head.ownField()) {
      throw new IOException("its parts are not those of its type");
    }
    return head;
  }

  private int ownField() throws IOException {
    PageType known = PageType.findByValue(type);
    if (known == null || known == PageType.INDEX_PAGE) {
      throw new IOException("it is a page of type " + type);
    }
    return switch (known) {
      case DATA_PAGE -> DATA;
      case DICTIONARY_PAGE -> DICTIONARY;
      default -> DATA_V2;
    };
  }

  private void field(int id, int thrift) throws IOException {
    switch (id) {
      case TYPE -> type = number(thrift);
      case UNCOMPRESSED_BYTES -> uncompressedBytes = number(thrift);
      case COMPRESSED_BYTES -> compressedBytes = number(thrift);
      case CRC -> crc = number(thrift);
      case DATA -> require(part(thrift, this::data), 1, 2, 3, 4);
      case DICTIONARY -> require(part(thrift, this::dictionary), 1, 2);
      case DATA_V2 -> require(part(thrift, this::dataV2), 1, 2, 3, 4, 5, 6);
      default -> ThriftFields.skip(bytes, thrift);
    }
  }

  private void data(int id, int thrift) throws IOException {
    switch (id) {
      case 1 -> values = number(thrift);
      case 2 -> encoding = number(thrift);
      case 3 -> definitionEncoding = number(thrift);
      case 4 -> repetitionEncoding = number(thrift);
      default -> ThriftFields.skip(bytes, thrift);
    }
  }

  private void dictionary(int id, int thrift) throws IOException {
    switch (id) {
      case 1 -> values = number(thrift);
      case 2 -> encoding = number(thrift);
      default -> ThriftFields.skip(bytes, thrift);
    }
  }

  private void dataV2(int id, int thrift) throws IOException {
    switch (id) {
      case 1 -> values = number(thrift);
      case 2 -> nulls = number(thrift);
      case 3 -> rows = number(thrift);
      case 4 -> encoding = number(thrift);
      case 5 -> definitionBytes = number(thrift);
      case 6 -> repetitionBytes = number(thrift);
      case 7 -> compressed = flag(thrift);
      default -> ThriftFields.skip(bytes, thrift);
    }
  }

  private int part(int thrift, ThriftFields.Reader reader) throws IOException {
    requireType(thrift == ThriftBytes.STRUCT);
    return ThriftFields.read(bytes, reader);
  }

  private int number(int thrift) throws IOException {
    requireType(thrift == ThriftBytes.I32);
    return bytes.i32();
  }

  private static boolean flag(int thrift) throws IOException {
    requireType(thrift == ThriftBytes.TRUE || thrift == ThriftBytes.FALSE);
    return thrift == ThriftBytes.TRUE;
  }

  private static void requireType(boolean fits) throws IOException {
    if (!fits) {
      throw new IOException("a field has another type");
    }
  }

  private static void require(int seen, int... fields) throws IOException {
    for (int field : fields) {
      if ((seen & (1 << field)) == 0) {
        throw new IOException("a field is missing");
      }
    }
  }

  boolean isDictionary() {
    return type == PageType.DICTIONARY_PAGE.getValue();
  }

  boolean isV2() {
    return type == PageType.DATA_PAGE_V2.getValue();
  }

  /** Bytes once they are decompressed, levels included. */
  int uncompressedBytes() {
    return uncompressedBytes;
  }

  /** Bytes behind the header, levels included. */
  int compressedBytes() {
    return compressedBytes;
  }

  boolean hasCrc() {
    return hasCrc;
  }

  /** The CRC-32 of the bytes behind the header; only if it has one. */
  int crc() {
    return crc;
  }

  int values() {
    return values;
  }

  /** Only of version 2, as are the rows and the bytes of levels. */
  int nulls() {
    return nulls;
  }

  int rows() {
    return rows;
  }

  int definitionBytes() {
    return definitionBytes;
  }

  int repetitionBytes() {
    return repetitionBytes;
  }

  /** Whether what is behind the levels is compressed; version 1 has no such flag. */
  boolean compressed() {
    return compressed;
  }

  /**
   * How the values are encoded.
   *
   * @throws IOException when there is no such encoding
   */
  Encoding encoding() throws IOException {
    return encoding(encoding);
  }

  /** Only of version 1. */
  Encoding definitionEncoding() throws IOException {
    return encoding(definitionEncoding);
  }

  /** Only of version 1. */
  Encoding repetitionEncoding() throws IOException {
    return encoding(repetitionEncoding);
  }

  private static Encoding encoding(int value) throws IOException {
    Encoding known = Encoding.findByValue(value);
    if (known == null) {
      throw new IOException("there is no encoding " + value);
    }
    return known;
  }
}
