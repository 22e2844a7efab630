package io.mooring.parquet;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.parquet.bytes.BytesUtils;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Util;

/**
 * A data page whose values are all null, for a flat optional column of any type and codec: pages of
 * version 2 say for themselves that they are not compressed. After the format's description (Data
 * Pages and Run Length Encoding, in parquet-format).
 */
final class NullPage {
  private NullPage() {}

  /** Header and body of a page of {@code rows} rows. */
  static byte[] of(int rows) {
    try {
      return page(rows);
    } catch (IOException e) {
      throw new UncheckedIOException("It is written to memory", e);
    }
  }

  private static byte[] page(int rows) throws IOException {
    byte[] levels = levels(rows);
    DataPageHeaderV2 data =
        new DataPageHeaderV2(rows, rows, rows, Encoding.PLAIN, levels.length, 0);
    data.setIs_compressed(false);
    PageHeader header = new PageHeader(PageType.DATA_PAGE_V2, levels.length, levels.length);
    header.setData_page_header_v2(data);
    ByteArrayOutputStream page = new ByteArrayOutputStream();
    Util.writePageHeader(header, page);
    page.write(levels);
    return page.toByteArray();
  }

  /** One run of definition level 0, which takes a bit and therefore a byte. */
  private static byte[] levels(int rows) throws IOException {
    ByteArrayOutputStream run = new ByteArrayOutputStream();
    BytesUtils.writeUnsignedVarInt(rows << 1, run);
    run.write(0);
    return run.toByteArray();
  }
}
