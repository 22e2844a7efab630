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
  private static final int MOST_DEPTH = 3;
  private static final int COUNTED = Integer.SIZE;

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

  /** Reads or skips the value of a field. */
  public interface FieldReader {
    void read(int id, int type) throws IOException;
  }

  /**
   * Reads a struct to its end, for readers that know some of its fields. Stricter than Thrift: no
   * field may come twice, nor have a number beyond 16 bits, which other readers cut off.
   *
   * @return a bit for each field with a number below 32 that is there
   * @throws EOFException when the struct goes beyond the end of the bytes
   * @throws IOException when a field may not be there, or as {@code reader} says
   */
  public int struct(FieldReader reader) throws IOException {
    int id = 0;
    int present = 0;
    for (int field = next(); field != 0; field = next()) {
      int more = field >>> 4;
      id = more == 0 ? i32() : id + more;
      if (id < 1 || id > Short.MAX_VALUE || (id < COUNTED && (present & (1 << id)) != 0)) {
        throw new IOException("a field comes twice, or its number is out of range");
      }
      present |= id < COUNTED ? 1 << id : 0;
      reader.read(id, field & 0xf);
    }
    return present;
  }

  /**
   * Skips the value of an unknown field. It must be a number, a string or a struct of these,
   * because not all decoders skip lists in the same way.
   *
   * @throws IOException when its type may not be skipped, or it is truncated
   */
  public void skipValue(int type) throws IOException {
    skipValue(type, 0);
  }

  private void skipValue(int type, int depth) throws IOException {
    switch (type) {
      case TRUE, FALSE -> {}
      case BYTE -> skip(1);
      case I16, I32, I64 -> varint();
      case DOUBLE -> skip(Double.BYTES);
      case BINARY -> skip(size());
      case STRUCT -> {
        if (depth == MOST_DEPTH) {
          throw new IOException("structs nest too deep");
        }
        struct((id, inner) -> skipValue(inner, depth + 1));
      }
      default -> throw new IOException("a field has the type " + type);
    }
  }
}
