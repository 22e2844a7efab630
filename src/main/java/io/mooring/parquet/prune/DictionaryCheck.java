package io.mooring.parquet.prune;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import io.mooring.parquet.footer.Footer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.filter2.predicate.Operators;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.jspecify.annotations.Nullable;

/**
 * Rules out row groups whose dictionaries lack the values that a predicate compares with. Smaller
 * dictionaries are read first, and those that are expected to save less than they cost not at all.
 */
final class DictionaryCheck {
  private final Footer footer;
  private final DictionaryPages pages;

  DictionaryCheck(Footer footer, DictionaryPages pages) {
    this.footer = footer;
    this.pages = pages;
  }

  /**
   * The row groups out of {@code rowGroups} that have to be read.
   *
   * @param predicate of {@link EqualityConjuncts}
   * @throws IOException when a dictionary cannot be read
   */
  List<Integer> remaining(List<Integer> rowGroups, FilterPredicate predicate) throws IOException {
    List<Integer> remaining = new ArrayList<>();
    Set<ColumnPath> columns = ReferencedColumns.of(predicate).collect(toSet());
    for (int index : rowGroups) {
      Map<ColumnPath, ColumnChunkMetaData> chunks =
          footer.rowGroups().get(index).getColumns().stream()
              .filter(it -> columns.contains(it.getPath()) && DictionaryPages.areAllOf(it))
              .collect(toMap(ColumnChunkMetaData::getPath, it -> it));
      if (!new RowGroup(chunks).canDrop(predicate)) {
        remaining.add(index);
      }
    }
    return remaining;
  }

  /**
   * Checks a row group.
   *
   * @param chunks those of which every page refers to a dictionary, by their columns
   */
  private final class RowGroup {
    private final Map<ColumnPath, ColumnChunkMetaData> chunks;
    // The dictionaries that were read: the sides of an OR ask for the same ones again.
    private final Map<ColumnPath, Optional<DictionaryEntries>> entries = new HashMap<>();

    RowGroup(Map<ColumnPath, ColumnChunkMetaData> chunks) {
      this.chunks = chunks;
    }

    /** True when no row can satisfy {@code predicate}. */
    boolean canDrop(FilterPredicate predicate) throws IOException {
      if (predicate instanceof Operators.And and) {
        boolean inOrder = bytes(and.getLeft()) <= bytes(and.getRight());
        return canDrop(inOrder ? and.getLeft() : and.getRight())
            || canDrop(inOrder ? and.getRight() : and.getLeft());
      } else if (predicate instanceof Operators.Or or) {
        return canDrop(or.getLeft()) && canDrop(or.getRight());
      } else if (predicate instanceof Operators.Eq<?> eq) {
        return lacks(chunks.get(eq.getColumn().getColumnPath()), Set.of(eq.getValue()));
      } else if (predicate instanceof Operators.In<?> in) {
        return lacks(chunks.get(in.getColumn().getColumnPath()), in.getValues());
      }
      return false;
    }

    private long bytes(FilterPredicate predicate) {
      return ReferencedColumns.of(predicate)
          .flatMap(column -> Stream.ofNullable(chunks.get(column)))
          .mapToLong(DictionaryPages::bytes)
          .sum();
    }

    private boolean lacks(@Nullable ColumnChunkMetaData chunk, Set<?> values) throws IOException {
      if (chunk == null
          || !DictionaryCoverage.mayPay(chunk, pages.knownEntries(chunk), values.size())) {
        return false;
      }
      Optional<DictionaryEntries> read = entries.get(chunk.getPath());
      if (read == null) {
        DictionaryPage page = pages.read(chunk);
        read =
            page == null
                ? Optional.empty()
                : Optional.of(new DictionaryEntries(page, chunk.getPrimitiveType()));
        entries.put(chunk.getPath(), read);
      }
      return read.isPresent() && !read.get().holdOneOf(values);
    }
  }

  /**
   * Tells from a footer whether reading a dictionary is likely to save more bytes than it takes. A
   * dictionary that holds nearly all integers between its smallest and its largest lacks hardly any
   * that a filter asks for, and statistics have ruled out the others already.
   */
  static final class DictionaryCoverage {
    // Takes no longer to read than to skip.
    private static final int SMALL_BYTES = 1 << 10;

    private DictionaryCoverage() {}

    /**
     * Whether a dictionary should be read.
     *
     * @param entries of the dictionary; -1 where unknown
     * @param values how many values a filter asks for
     */
    static boolean mayPay(ColumnChunkMetaData chunk, int entries, int values) {
      double range = range(chunk);
      if (range <= 0) {
        return true;
      } else if (entries >= range) {
        return false;
      }
      double page = DictionaryPages.bytes(chunk);
      // A lower bound: codecs make integers longer only by a few bytes, which SMALL_BYTES covers
      // together with the header.
      double held = entries >= 0 ? entries : (page - SMALL_BYTES) / width(chunk);
      double lacksAll = Math.pow(1 - Math.max(0, Math.min(1, held / range)), values);
      return page <= SMALL_BYTES || lacksAll * chunk.getTotalSize() >= page;
    }

    /** How many integers lie between the smallest and the largest of a chunk; 0 where unknown. */
    private static double range(ColumnChunkMetaData chunk) {
      Statistics<?> statistics = chunk.getStatistics();
      if (width(chunk) == 0 || statistics == null || !statistics.hasNonNullValue()) {
        return 0;
      }
      double least = ((Number) statistics.genericGetMin()).doubleValue();
      double most = ((Number) statistics.genericGetMax()).doubleValue();
      // Unsigned integers beyond the signed maximum can make it negative, which means unknown as
      // well.
      return most - least + 1;
    }

    private static int width(ColumnChunkMetaData chunk) {
      return switch (chunk.getPrimitiveType().getPrimitiveTypeName()) {
        case INT32 -> Integer.BYTES;
        case INT64 -> Long.BYTES;
        default -> 0;
      };
    }
  }
}
