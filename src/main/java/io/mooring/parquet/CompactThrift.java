package io.mooring.parquet;

import java.io.IOException;

/**
 * Walks a struct in Thrift's compact protocol without keeping anything of it: a parser that
 * reserves room by the sizes in the bytes is given only what holds as much as it says. Takes time
 * linear in the bytes. After the protocol's public description (thrift-compact-protocol.md of
 * Apache Thrift).
 */
final class CompactThrift {
  // A footer's own structs nest nine deep; parsers, in C++ too, recurse once for each.
  private static final int MOST_DEPTH = 32;
  private static final int MOST_VARINT_BYTES = 10;
  private static final int LONG_LIST = 15;

  private static final int TRUE = 1;
  private static final int FALSE = 2;
  private static final int BYTE = 3;
  private static final int I16 = 4;
  private static final int I64 = 6;
  private static final int DOUBLE = 7;
  private static final int BINARY = 8;
  private static final int LIST = 9;
  private static final int SET = 10;
  private static final int MAP = 11;
  private static final int STRUCT = 12;

  private final byte[] bytes;
  private int at;

  private CompactThrift(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Passes the struct at the beginning of {@code bytes}; what follows it is not looked at.
   *
   * @throws IOException when it is cut off, holds less than a size in it says, or nests too deep
   */
  static void check(byte[] bytes) throws IOException {
    new CompactThrift(bytes).struct(0);
  }

  private void struct(int depth) throws IOException {
    for (int field = next(); field != 0; field = next()) {
      boolean hasLongId = field >>> 4 == 0;
      if (hasLongId) {
        varint();
      }
      int type = field & 0xf;
      // A boolean field is its type.
      if (type != TRUE && type != FALSE) {
        value(type, depth + 1);
      }
    }
  }

  private void value(int type, int depth) throws IOException {
    require(depth <= MOST_DEPTH, "structs nest too deep");
    if (type >= I16 && type <= I64) {
      varint();
      return;
    }
    switch (type) {
      case TRUE, FALSE, BYTE -> skip(1);
      case DOUBLE -> skip(Double.BYTES);
      case BINARY -> skip(size());
      case LIST, SET -> list(depth);
      case MAP -> map(depth);
      case STRUCT -> struct(depth);
      default -> throw new IOException("Thrift: there is no type " + type);
    }
  }

  private void list(int depth) throws IOException {
    int header = next();
    int shortSize = header >>> 4;
    int elements = shortSize == LONG_LIST ? size() : shortSize;
    for (int i = 0; i < elements; i++) {
      value(header & 0xf, depth + 1);
    }
  }

  private void map(int depth) throws IOException {
    int entries = size();
    int types = entries == 0 ? 0 : next();
    for (int i = 0; i < entries; i++) {
      value(types >>> 4, depth + 1);
      value(types & 0xf, depth + 1);
    }
  }

  /** A number of bytes or elements; every element takes a byte at least. */
  private int size() throws IOException {
    long size = varint();
    require(size >= 0 && size <= bytes.length - at, "a size is beyond the end");
    return (int) size;
  }

  private long varint() throws IOException {
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

  private int next() throws IOException {
    require(at < bytes.length, "it is cut off");
    return bytes[at++] & 0xff;
  }

  private void skip(int count) throws IOException {
    require(count <= bytes.length - at, "it is cut off");
    at += count;
  }

  private static void require(boolean holds, String problem) throws IOException {
    if (!holds) {
      throw new IOException("Thrift: " + problem);
    }
  }
}
