package io.mooring.parquet.prune;

import java.io.IOException;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.DictionaryPageReadStore;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.filter2.predicate.Operators;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.schema.MessageType;

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
}
