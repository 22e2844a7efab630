package io.mooring.parquet.prune;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.DictionaryPageReadStore;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.filter2.predicate.Operators;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;

/**
 * Checks whether the dictionaries of a row group hold the values that a predicate compares with.
 * The entries are compared as they lie in the page: parquet-mr makes an array and then a hash set
 * of each dictionary, which for large ones takes longer than reading and decoding the whole column.
 */
final class DictionaryCheck {
  private final MessageType schema;
  private final DictionaryPageReadStore dictionaries;
  private final Predicate<ColumnPath> isAllDictionary;

  /**
   * Checks one row group.
   *
   * @param isAllDictionary whether every page of a column's chunk refers to its dictionary
   */
  DictionaryCheck(
      MessageType schema,
      DictionaryPageReadStore dictionaries,
      Predicate<ColumnPath> isAllDictionary) {
    this.schema = schema;
    this.dictionaries = dictionaries;
    this.isAllDictionary = isAllDictionary;
  }

  /**
   * True when no row can satisfy {@code predicate}.
   *
   * @throws IOException when a dictionary cannot be read
   */
  boolean canDrop(FilterPredicate predicate) throws IOException {
    if (predicate instanceof Operators.And and) {
      return canDrop(and.getLeft()) || canDrop(and.getRight());
    } else if (predicate instanceof Operators.Or or) {
      return canDrop(or.getLeft()) && canDrop(or.getRight());
    } else if (predicate instanceof Operators.Eq<?> eq) {
      return lacks(eq.getColumn().getColumnPath(), Set.of(eq.getValue()));
    } else if (predicate instanceof Operators.In<?> in) {
      return lacks(in.getColumn().getColumnPath(), in.getValues());
    }
    return false;
  }

  private boolean lacks(ColumnPath path, Set<?> values) throws IOException {
    if (!isAllDictionary.test(path)) {
      return false;
    }
    ColumnDescriptor column = schema.getColumnDescription(path.toArray());
    DictionaryPage page = dictionaries.readDictionaryPage(column);
    if (page == null) {
      return false;
    }
    return !new DictionaryEntries(page, column.getPrimitiveType()).holdOneOf(values);
  }

  /**
   * The values of a dictionary page in the PLAIN encoding, which is the only one that dictionaries
   * have: numbers in little-endian order, byte arrays behind their lengths of four bytes. Belongs
   * to one thread.
   */
  static final class DictionaryEntries {
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
      int end = end(Integer.BYTES);
      for (int at = 0; at < end; at += Integer.BYTES) {
        if (Arrays.binarySearch(values, bytes.getInt(at)) >= 0) {
          return true;
        }
      }
      return false;
    }

    private boolean holdLong(long[] values) throws IOException {
      int end = end(Long.BYTES);
      for (int at = 0; at < end; at += Long.BYTES) {
        if (Arrays.binarySearch(values, bytes.getLong(at)) >= 0) {
          return true;
        }
      }
      return false;
    }

    private boolean holdFixed(int width, Set<?> values) throws IOException {
      int end = end(width);
      for (int at = 0; at < end; at += width) {
        if (values.contains(entry(at, width))) {
          return true;
        }
      }
      return false;
    }

    private boolean holdBytes(Set<?> values) throws IOException {
      Set<Integer> lengths =
          values.stream().map(value -> ((Binary) value).length()).collect(Collectors.toSet());
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
        if (lengths.contains(length) && values.contains(entry(at, length))) {
          return true;
        }
        at += length;
      }
      return false;
    }

    private Binary entry(int at, int length) {
      return Binary.fromConstantByteBuffer(bytes, at, length);
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
}
