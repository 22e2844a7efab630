package io.mooring.parquet.thrift;

import java.io.IOException;

/**
 * Reads the fields of a struct, for readers that know some of them. Stricter than Thrift: no field
 * may come twice, and an unknown field must be a number, a string or a struct of these, because not
 * all decoders skip lists in the same way.
 */
public final class ThriftStructReader {
  private static final int MOST_DEPTH = 3;
  private static final int COUNTED = Integer.SIZE;

  private ThriftStructReader() {}

  /** Reads or skips the value of a field. */
  public interface Reader {
    void read(int id, int type) throws IOException;
  }

  /**
   * Reads a struct to its end.
   *
   * @return a bit for each field with a number below 32 that is there
   * @throws java.io.EOFException when the struct goes beyond the end of {@code bytes}
   * @throws IOException when a field comes twice, or as {@code reader} says
   */
  public static int read(ThriftReader bytes, Reader reader) throws IOException {
    int id = 0;
    int seen = 0;
    for (int field = bytes.next(); field != 0; field = bytes.next()) {
      int more = field >>> 4;
      id = more == 0 ? bytes.i32() : id + more;
      if (id < 1 || (id < COUNTED && (seen & (1 << id)) != 0)) {
        throw new IOException("a field comes twice");
      }
      seen |= id < COUNTED ? 1 << id : 0;
      reader.read(id, field & 0xf);
    }
    return seen;
  }

  /**
   * Skips the value of a field.
   *
   * @throws IOException when its type may not be skipped, or it is truncated
   */
  public static void skip(ThriftReader bytes, int type) throws IOException {
    skip(bytes, type, 0);
  }

  private static void skip(ThriftReader bytes, int type, int depth) throws IOException {
    switch (type) {
      case ThriftReader.TRUE, ThriftReader.FALSE -> {}
      case ThriftReader.BYTE -> bytes.skip(1);
      case ThriftReader.I16, ThriftReader.I32, ThriftReader.I64 -> bytes.varint();
      case ThriftReader.DOUBLE -> bytes.skip(Double.BYTES);
      case ThriftReader.BINARY -> bytes.skip(bytes.size());
      case ThriftReader.STRUCT -> {
        if (depth == MOST_DEPTH) {
          throw new IOException("structs nest too deep");
        }
        read(bytes, (id, inner) -> skip(bytes, inner, depth + 1));
      }
      default -> throw new IOException("a field has the type " + type);
    }
  }
}
