package io.mooring.parquet.prune;

import java.io.IOException;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.DictionaryPageReadStore;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.filter2.predicate.Operators;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/**
 * Whether the dictionaries of a row group hold the values that an {@link EqualityConjuncts} asks for.
 * parquet-mr's own filter makes a hash set of each dictionary first, which for large ones takes
 * longer than reading and decoding the whole column.
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
   * True when no row can satisfy {@code part}.
   *
   * @throws IOException when a dictionary cannot be read
   */
  boolean canDrop(FilterPredicate part) throws IOException {
    if (part instanceof Operators.And and) {
      return canDrop(and.getLeft()) || canDrop(and.getRight());
    } else if (part instanceof Operators.Or or) {
      return canDrop(or.getLeft()) && canDrop(or.getRight());
    } else if (part instanceof Operators.Eq<?> eq) {
      return lacks(eq.getColumn().getColumnPath(), Set.of(eq.getValue()));
    } else if (part instanceof Operators.In<?> in) {
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
    Dictionary dictionary = page.getEncoding().initDictionary(column, page);
    PrimitiveTypeName type = column.getPrimitiveType().getPrimitiveTypeName();
    return IntStream.rangeClosed(0, dictionary.getMaxId())
        .noneMatch(isOneOf(values, dictionary, type));
  }

  /** Which of the dictionary's entries are among the values. */
  private static IntPredicate isOneOf(
      Set<?> values, Dictionary dictionary, PrimitiveTypeName type) {
    return switch (type) {
      case INT32 ->
          values.size() == 1
              ? isInt((Integer) values.iterator().next(), dictionary)
              : id -> values.contains(dictionary.decodeToInt(id));
      case INT64 ->
          values.size() == 1
              ? isLong((Long) values.iterator().next(), dictionary)
              : id -> values.contains(dictionary.decodeToLong(id));
      case BINARY, FIXED_LEN_BYTE_ARRAY, INT96 ->
          id -> values.contains(dictionary.decodeToBinary(id));
      case BOOLEAN, FLOAT, DOUBLE -> id -> true;
    };
  }

  private static IntPredicate isInt(int value, Dictionary dictionary) {
    return id -> dictionary.decodeToInt(id) == value;
  }

  private static IntPredicate isLong(long value, Dictionary dictionary) {
    return id -> dictionary.decodeToLong(id) == value;
  }
}
