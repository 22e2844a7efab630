package io.mooring.parquet.files;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** Members of gzip files, of one page each. */
final class GzipMembers {
  private GzipMembers() {}

  static byte[] gzip(byte[] page) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(page);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  static byte[] member(int flags, byte[] fields, byte[] deflated, byte[] page) {
    CRC32 crc = new CRC32();
    crc.update(page);
    return ByteBuffer.allocate(10 + fields.length + deflated.length + 8)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(new byte[] {0x1f, (byte) 0x8b, 8, (byte) flags, 0, 0, 0, 0, 0, 3})
        .put(fields)
        .put(deflated)
        .putInt((int) crc.getValue())
        .putInt(page.length)
        .array();
  }

  static byte[] deflated(byte[] page, int level, boolean flushFirst) {
    Deflater deflater = new Deflater(level, true);
    byte[] buffer = new byte[2 * page.length + 100];
    int at = flushFirst ? deflater.deflate(buffer, 0, 10, Deflater.SYNC_FLUSH) : 0;
    deflater.setInput(page);
    deflater.finish();
    while (!deflater.finished()) {
      at += deflater.deflate(buffer, at, buffer.length - at);
    }
    deflater.end();
    return Arrays.copyOf(buffer, at);
  }
}
