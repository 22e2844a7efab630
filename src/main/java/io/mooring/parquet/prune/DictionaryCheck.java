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
    // Those that were read: alternatives ask for the same ones again.
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
}
