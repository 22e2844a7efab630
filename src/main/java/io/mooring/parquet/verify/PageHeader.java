package io.mooring.parquet.verify;

import java.io.IOException;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageType;

/**
 * The fields of a page's header that a decoder uses. Numbers are as they stand in the file; fields
 * that the page's type does not have are 0.
 *
 * @param uncompressedBytes length of the decompressed body, levels included
 * @param compressedBytes length of the body
 * @param hasCrc whether {@code crc} is the CRC-32 of the body
 * @param nulls in version 2 only, as are rows and the bytes of levels
 * @param definitionCode in version 1 only, as is that of the repetition levels
 * @param compressed whether the body after the levels is; version 1 has no such flag
 */
record PageHeader(
    PageType type,
    int uncompressedBytes,
    int compressedBytes,
    boolean hasCrc,
    int crc,
    int values,
    int nulls,
    int rows,
    int encodingCode,
    int definitionCode,
    int repetitionCode,
    int definitionBytes,
    int repetitionBytes,
    boolean compressed) {

  boolean isDictionary() {
    return type == PageType.DICTIONARY_PAGE;
  }

  boolean isV2() {
    return type == PageType.DATA_PAGE_V2;
  }

  /**
   * How the values are encoded.
   *
   * @throws IOException when there is no such encoding
   */
  Encoding encoding() throws IOException {
    return encoding(encodingCode);
  }

  /** The encoding of definition levels; throws as {@link #encoding}. */
  Encoding definitionEncoding() throws IOException {
    return encoding(definitionCode);
  }

  /** The encoding of repetition levels; throws as {@link #encoding}. */
  Encoding repetitionEncoding() throws IOException {
    return encoding(repetitionCode);
  }

  private static Encoding encoding(int code) throws IOException {
    Encoding known = Encoding.findByValue(code);
    if (known == null) {
      throw new IOException("there is no encoding " + code);
    }
    return known;
  }
}
