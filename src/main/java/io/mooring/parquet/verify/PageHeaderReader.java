package io.mooring.parquet.verify;

import io.mooring.parquet.thrift.ThriftReader;
import java.io.IOException;
import org.apache.parquet.format.PageType;

/** Reads the header of a page, the struct PageHeader of parquet.thrift in parquet-format. */
final class PageHeaderReader {
  private static final int TYPE = 1;
  private static final int UNCOMPRESSED_BYTES = 2;
  private static final int COMPRESSED_BYTES = 3;
  private static final int CRC = 4;
  private static final int DATA = 5;
  private static final int INDEX = 6;
  private static final int DICTIONARY = 7;
  private static final int DATA_V2 = 8;
  private static final int PARTS = (1 << DATA) | (1 << INDEX) | (1 << DICTIONARY) | (1 << DATA_V2);

  private final ThriftReader bytes;
  private int type;
  private int uncompressedBytes;
  private int compressedBytes;
  private int crc;
  private int values;
  private int nulls;
  private int rows;
  private int encoding;
  private int definitionEncoding;
  private int repetitionEncoding;
  private int definitionBytes;
  private int repetitionBytes;
  private boolean compressed = true;

  private PageHeaderReader(ThriftReader bytes) {
    this.bytes = bytes;
  }

  /**
   * Reads one header.
   *
   * @throws java.io.EOFException when it goes beyond the end of {@code bytes}
   * @throws IOException when it is no header, or readers may read it differently
   */
  static PageHeader read(ThriftReader bytes) throws IOException {
    return new PageHeaderReader(bytes).read();
  }

  private PageHeader read() throws IOException {
    int present = bytes.struct(this::field);
    require(present, TYPE, UNCOMPRESSED_BYTES, COMPRESSED_BYTES);
    PageType known = PageType.findByValue(type);
    if (known == null || known == PageType.INDEX_PAGE) {
      throw new IOException("it is a page of type " + type);
    } else if ((present & PARTS) != 1 << part(known)) {
      throw new IOException("its fields do not belong to its type");
    }
    return new PageHeader(
        known,
        uncompressedBytes,
        compressedBytes,
        (present & (1 << CRC)) != 0,
        crc,
        values,
        nulls,
        rows,
        encoding,
        definitionEncoding,
        repetitionEncoding,
        definitionBytes,
        repetitionBytes,
        compressed);
  }

  private static int part(PageType type) {
    return switch (type) {
      case DATA_PAGE -> DATA;
      case INDEX_PAGE -> INDEX;
      case DICTIONARY_PAGE -> DICTIONARY;
      case DATA_PAGE_V2 -> DATA_V2;
    };
  }

  private void field(int id, int thrift) throws IOException {
    switch (id) {
      case TYPE -> type = number(thrift);
      case UNCOMPRESSED_BYTES -> uncompressedBytes = number(thrift);
      case COMPRESSED_BYTES -> compressedBytes = number(thrift);
      case CRC -> crc = number(thrift);
      case DATA -> require(struct(thrift, this::data), 1, 2, 3, 4);
      case DICTIONARY -> require(struct(thrift, this::dictionary), 1, 2);
      case DATA_V2 -> require(struct(thrift, this::dataV2), 1, 2, 3, 4, 5, 6);
      default -> bytes.skipValue(thrift);
    }
  }

  private void data(int id, int thrift) throws IOException {
    switch (id) {
      case 1 -> values = number(thrift);
      case 2 -> encoding = number(thrift);
      case 3 -> definitionEncoding = number(thrift);
      case 4 -> repetitionEncoding = number(thrift);
      default -> bytes.skipValue(thrift);
    }
  }

  private void dictionary(int id, int thrift) throws IOException {
    switch (id) {
      case 1 -> values = number(thrift);
      case 2 -> encoding = number(thrift);
      default -> bytes.skipValue(thrift);
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
      default -> bytes.skipValue(thrift);
    }
  }

  private int struct(int thrift, ThriftReader.FieldReader reader) throws IOException {
    requireType(thrift == ThriftReader.STRUCT);
    return bytes.struct(reader);
  }

  private int number(int thrift) throws IOException {
    requireType(thrift == ThriftReader.I32);
    return bytes.i32();
  }

  private static boolean flag(int thrift) throws IOException {
    requireType(thrift == ThriftReader.TRUE || thrift == ThriftReader.FALSE);
    return thrift == ThriftReader.TRUE;
  }

  private static void requireType(boolean fits) throws IOException {
    if (!fits) {
      throw new IOException("a field has another type");
    }
  }

  private static void require(int present, int... fields) throws IOException {
    for (int field : fields) {
      if ((present & (1 << field)) == 0) {
        throw new IOException("a field is missing");
      }
    }
  }
}
