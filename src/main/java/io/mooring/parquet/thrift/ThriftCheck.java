package io.mooring.parquet.thrift;

import static io.mooring.parquet.thrift.ThriftReader.BINARY;
import static io.mooring.parquet.thrift.ThriftReader.BYTE;
import static io.mooring.parquet.thrift.ThriftReader.DOUBLE;
import static io.mooring.parquet.thrift.ThriftReader.FALSE;
import static io.mooring.parquet.thrift.ThriftReader.I16;
import static io.mooring.parquet.thrift.ThriftReader.I64;
import static io.mooring.parquet.thrift.ThriftReader.LIST;
import static io.mooring.parquet.thrift.ThriftReader.MAP;
import static io.mooring.parquet.thrift.ThriftReader.SET;
import static io.mooring.parquet.thrift.ThriftReader.STRUCT;
import static io.mooring.parquet.thrift.ThriftReader.TRUE;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Checks the sizes in a struct in Thrift's compact protocol, before a parser allocates memory by
 * them. Keeps nothing; takes time linear in the bytes.
 */
public final class ThriftCheck {
  // A footer's own structs nest nine deep; parsers, in C++ too, recurse once for each.
  private static final int MOST_DEPTH = 32;
  private static final int LONG_LIST = 15;

  private final ThriftReader bytes;

  private ThriftCheck(ThriftReader bytes) {
    this.bytes = bytes;
  }

  /**
   * Checks the struct at the beginning of {@code bytes}, and nothing after it.
   *
   * @throws IOException when it is truncated, a size in it exceeds its bytes, or it nests too deep
   */
  public static void check(byte[] bytes) throws IOException {
    new ThriftCheck(new ThriftReader(ByteBuffer.wrap(bytes))).struct(0);
  }

  private void struct(int depth) throws IOException {
    for (int field = bytes.next(); field != 0; field = bytes.next()) {
      boolean hasLongId = field >>> 4 == 0;
      if (hasLongId) {
        bytes.varint();
      }
      int type = field & 0xf;
      // The type of a boolean field is its value.
      if (type != TRUE && type != FALSE) {
        value(type, depth + 1);
      }
    }
  }

  private void value(int type, int depth) throws IOException {
    if (depth > MOST_DEPTH) {
      throw new IOException("Thrift: structs nest too deep");
    }
    if (type >= I16 && type <= I64) {
      bytes.varint();
      return;
    }
    switch (type) {
      case TRUE, FALSE, BYTE -> bytes.skip(1);
      case DOUBLE -> bytes.skip(Double.BYTES);
      case BINARY -> bytes.skip(bytes.size());
      case LIST, SET -> list(depth);
      case MAP -> map(depth);
      case STRUCT -> struct(depth);
      default -> throw new IOException("Thrift: there is no type " + type);
    }
  }

  private void list(int depth) throws IOException {
    int header = bytes.next();
    int shortSize = header >>> 4;
    int elements = shortSize == LONG_LIST ? bytes.size() : shortSize;
    for (int i = 0; i < elements; i++) {
      value(header & 0xf, depth + 1);
    }
  }

  private void map(int depth) throws IOException {
    int entries = bytes.size();
    int types = entries == 0 ? 0 : bytes.next();
    for (int i = 0; i < entries; i++) {
      value(types >>> 4, depth + 1);
      value(types & 0xf, depth + 1);
    }
  }
}
