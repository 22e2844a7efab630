package io.mooring.parquet.verify;

import java.io.IOException;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageType;

/**
 * What the header of a page says, as far as it is believed while the page is decoded. Numbers are
 * as they were found, and 0 what the page's type does not have.
 *
 * @param uncompressedBytes behind the header once they are decompressed, levels included
 * @param compressedBytes behind the header
 * @param hasCrc whether {@code crc} is the CRC-32 of those
 * @param nulls only of version 2, as are rows and the bytes of levels
 * @param definitionCode only of version 1, as that of the repetition levels
 * @param compressed whether what is behind the levels is; version 1 has no such flag
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

  /** As {@link #encoding}. */
  Encoding definitionEncoding() throws IOException {
    return encoding(definitionCode);
  }

  /** As {@link #encoding}. */
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
