package io.mooring.parquet.thrift;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads the elements of Thrift's compact protocol, after its public description
 * (thrift-compact-protocol.md of Apache Thrift). Belongs to one thread.
 */
public final class ThriftReader {
  public static final int TRUE = 1;
  public static final int FALSE = 2;
  public static final int BYTE = 3;
  public static final int I16 = 4;
  public static final int I32 = 5;
  public static final int I64 = 6;
  public static final int DOUBLE = 7;
  public static final int BINARY = 8;
  public static final int LIST = 9;
  public static final int SET = 10;
  public static final int MAP = 11;
  public static final int STRUCT = 12;

  private static final int MOST_VARINT_BYTES = 10;

  private final ByteBuffer bytes;
  private int at;

  /** A reader from index 0 of {@code bytes} to its limit; the position is ignored. */
  public ThriftReader(ByteBuffer bytes) {
    this.bytes = bytes;
  }

  /** How many bytes have been read. */
  public int position() {
    return at;
  }

  /**
   * The next byte.
   *
   * @throws EOFException when there is none
   */
  int next() throws IOException {
    require(at < bytes.limit());
    return bytes.get(at++) & 0xff;
  }

  /**
   * Skips bytes.
   *
   * @throws EOFException when there are not as many
   */
  public void skip(int count) throws IOException {
    require(count <= bytes.limit() - at);
    at += count;
  }

  /** A number of bytes or elements; every element takes at least a byte. */
  int size() throws IOException {
    long size = varint();
    if (size < 0 || size > bytes.limit() - at) {
      throw new EOFException("Thrift: a size is beyond the end");
    }
    return (int) size;
  }

  /**
   * An unsigned number of at most 64 bits.
   *
   * @throws EOFException when it is truncated
   * @throws IOException when it does not end
   */
  public long varint() throws IOException {
    long value = 0;
    for (int i = 0; i < MOST_VARINT_BYTES; i++) {
      int part = next();
      value |= (long) (part & 0x7f) << (7 * i);
      if (part < 0x80) {
        return value;
      }
    }
    throw new IOException("Thrift: a number has no end");
  }

  /**
   * A signed number of at most 32 bits.
   *
   * @throws EOFException when it is truncated
   * @throws IOException when it has more than 32 bits
   */
  public int i32() throws IOException {
    long value = varint();
    if (value < 0 || value > 0xffff_ffffL) {
      throw new IOException("Thrift: a number is too large");
    }
    return (int) (value >>> 1) ^ -(int) (value & 1);
  }

  private static void require(boolean holds) throws EOFException {
    if (!holds) {
      throw new EOFException("Thrift: the bytes are truncated");
    }
  }
}
