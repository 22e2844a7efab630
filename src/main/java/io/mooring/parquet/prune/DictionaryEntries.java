package io.mooring.parquet.prune;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Set;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.PrimitiveType;
import org.jspecify.annotations.Nullable;

/**
 * The values of a dictionary page in the PLAIN encoding, which is the only one that dictionaries
 * have: numbers in little-endian order, byte arrays behind their lengths of four bytes. They are
 * compared as they lie in the page: parquet-mr makes an array and then a hash set of each
 * dictionary, which for large ones takes longer than reading and decoding the whole column. Belongs
 * to one thread.
 */
final class DictionaryEntries {
  private static final int INT96_BYTES = 12;

  private final ByteBuffer bytes;
  private final int count;
  private final PrimitiveType type;

  /**
   * @param page uncompressed
   * @throws IOException when the page cannot be read
   */
  DictionaryEntries(DictionaryPage page, PrimitiveType type) throws IOException {
    this.bytes = page.getBytes().toByteBuffer().slice().order(ByteOrder.LITTLE_ENDIAN);
    this.count = page.getDictionarySize();
    this.type = type;
  }

  /**
   * Whether an entry equals one of the values.
   *
   * @param values Integer, Long or Binary by the column's type; true for types without exact
   *     equality
   * @throws IOException when the page is shorter than its entries
   */
  boolean holdOneOf(Set<?> values) throws IOException {
    return switch (type.getPrimitiveTypeName()) {
      case INT32 -> holdInt(numbers(values));
      case INT64 -> holdLong(numbers(values));
      case BINARY -> holdBytes(values);
      case FIXED_LEN_BYTE_ARRAY -> holdFixed(type.getTypeLength(), values);
      case INT96 -> holdFixed(INT96_BYTES, values);
      case BOOLEAN, FLOAT, DOUBLE -> true;
    };
  }

  private static long[] numbers(Set<?> values) {
    return values.stream().mapToLong(value -> ((Number) value).longValue()).sorted().toArray();
  }

  private boolean holdInt(long[] values) throws IOException {
    long low = values[0];
    long high = values[values.length - 1];
    int end = end(Integer.BYTES);
    for (int at = 0; at < end; at += Integer.BYTES) {
      int entry = bytes.getInt(at);
      if (entry >= low && entry <= high && isOneOf(values, entry)) {
        return true;
      }
    }
    return false;
  }

  private boolean holdLong(long[] values) throws IOException {
    long low = values[0];
    long high = values[values.length - 1];
    int end = end(Long.BYTES);
    for (int at = 0; at < end; at += Long.BYTES) {
      long entry = bytes.getLong(at);
      if (entry >= low && entry <= high && isOneOf(values, entry)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOneOf(long[] values, long entry) {
    return Arrays.binarySearch(values, entry) >= 0;
  }

  private boolean holdFixed(int width, Set<?> values) throws IOException {
    int end = end(width);
    ByteBuffer only = only(values);
    for (int at = 0; at < end; at += width) {
      if (isOneOf(values, only, at, width)) {
        return true;
      }
    }
    return false;
  }

  private boolean holdBytes(Set<?> values) throws IOException {
    BitSet lengths = new BitSet();
    values.forEach(value -> lengths.set(((Binary) value).length()));
    ByteBuffer only = only(values);
    int at = 0;
    for (int n = 0; n < count; n++) {
      if (at > bytes.limit() - Integer.BYTES) {
        throw tooShort();
      }
      int length = bytes.getInt(at);
      at += Integer.BYTES;
      if (length < 0 || length > bytes.limit() - at) {
        throw tooShort();
      }
      if (lengths.get(length) && isOneOf(values, only, at, length)) {
        return true;
      }
      at += length;
    }
    return false;
  }

  /** The value, where it is the only one: comparing takes less time than hashing each entry. */
  private static @Nullable ByteBuffer only(Set<?> values) {
    return values.size() == 1 ? ((Binary) values.iterator().next()).toByteBuffer() : null;
  }

  private boolean isOneOf(Set<?> values, @Nullable ByteBuffer only, int at, int length) {
    return only == null
        ? values.contains(Binary.fromConstantByteBuffer(bytes, at, length))
        : only.equals(bytes.slice(at, length));
  }

  /** The end of the entries in the page, in bytes. */
  private int end(int width) throws IOException {
    if (count < 0 || width <= 0 || (long) count * width > bytes.limit()) {
      throw tooShort();
    }
    return count * width;
  }

  private IOException tooShort() {
    return new IOException(
        "A dictionary of " + count + " entries does not fit in its page of " + bytes.limit());
  }
}
