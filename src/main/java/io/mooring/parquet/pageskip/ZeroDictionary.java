package io.mooring.parquet.pageskip;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.CodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.PrimitiveType;

/** Dictionary pages with one value, whose bytes are all zero. */
final class ZeroDictionary {
  private ZeroDictionary() {}

  /**
   * The page for a type, compressed, with its header.
   *
   * @throws IOException when the codec is not there
   */
  static byte[] page(PrimitiveType type, CompressionCodecName codec) throws IOException {
    byte[] value = new byte[bytes(type)];
    byte[] compressed = compressed(value, codec);
    PageHeader header = new PageHeader(PageType.DICTIONARY_PAGE, value.length, compressed.length);
    header.setDictionary_page_header(new DictionaryPageHeader(1, Encoding.PLAIN));
    ByteArrayOutputStream page = new ByteArrayOutputStream();
    Util.writePageHeader(header, page);
    page.write(compressed);
    return page.toByteArray();
  }

  private static byte[] compressed(byte[] value, CompressionCodecName codec) throws IOException {
    // By the interface: the class's own methods differ between versions of parquet-mr.
    CompressionCodecFactory codecs = new CodecFactory(new Configuration(false), value.length);
    try {
      return codecs.getCompressor(codec).compress(BytesInput.from(value)).toByteArray();
    } finally {
      codecs.release();
    }
  }

  private static int bytes(PrimitiveType type) {
    return switch (type.getPrimitiveTypeName()) {
      case INT32, FLOAT -> Integer.BYTES;
      case INT64, DOUBLE -> Long.BYTES;
      case INT96 -> 12;
      case FIXED_LEN_BYTE_ARRAY -> type.getTypeLength();
        // The length of a text without letters.
      case BINARY -> Integer.BYTES;
      case BOOLEAN -> throw new IllegalArgumentException("Booleans have no dictionaries");
    };
  }
}
