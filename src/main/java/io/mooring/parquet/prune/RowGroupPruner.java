package io.mooring.parquet.prune;

import static java.util.stream.Collectors.toSet;

import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.pageskip.RowSelection;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.parquet.source.UnchangedFile;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.filter2.predicate.LogicalInverseRewriter;
import org.apache.parquet.filter2.predicate.SchemaCompatibilityValidator;
import org.apache.parquet.filter2.statisticslevel.StatisticsFilter;
import org.apache.parquet.hadoop.ParquetInputFormat;
import org.apache.parquet.internal.filter2.columnindex.RowRanges;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rules out row groups that hold no row that satisfies a predicate: first by the footer's
 * statistics, then by page indexes, dictionaries and Bloom filters in the file. parquet-mr decides,
 * as for Spark's reader; {@link DictionaryCheck} alone is Mooring's. Belongs to one thread.
 */
public final class RowGroupPruner {
  private static final Logger LOG = LoggerFactory.getLogger(RowGroupPruner.class);
  // Where more than half of the rows may match, reading everything at once is as good.
  private static final int WORTHWHILE = 2;

  private final ParquetFile file;
  private final Footer footer;
  private final FilterPredicate predicate;
  private final Configuration conf;
  private final ScanCounters counters;
  private Map<Integer, RowRanges> rows = Map.of();
  private boolean ruledOutByStatistics;

  public RowGroupPruner(
      ParquetFile file,
      Footer footer,
      FilterPredicate predicate,
      Configuration conf,
      ScanCounters counters) {
    this.file = file;
    this.footer = footer;
    this.predicate = LogicalInverseRewriter.rewrite(predicate);
    this.conf = conf;
    this.counters = counters;
  }

  /**
   * The row groups out of {@code rowGroups} that have to be read.
   *
   * @throws IOException when the file cannot be read
   */
  public List<Integer> remaining(List<Integer> rowGroups) throws IOException {
    SchemaCompatibilityValidator.validate(predicate, footer.schema());
    List<Integer> remaining = rowGroups;
    if (conf.getBoolean(ParquetInputFormat.STATS_FILTERING_ENABLED, true)) {
      remaining = rowGroups.stream().filter(this::mayMatch).toList();
      ruledOutByStatistics = remaining.isEmpty();
    }
    if (conf.getBoolean(ParquetInputFormat.COLUMN_INDEX_FILTERING_ENABLED, true)) {
      rows = rowsByPages(remaining);
      remaining = remaining.stream().filter(i -> !isEmpty(rows.get(i))).toList();
    }
    FilterPredicate equality = EqualityConjuncts.of(predicate);
    return equality == null || remaining.isEmpty()
        ? remaining
        : new EqualityPruner(new UnchangedFile(file, conf, counters), footer, equality, conf)
            .remaining(remaining);
  }

  /** Whether the footer's statistics alone left {@link #remaining} nothing. */
  public boolean isRuledOutByStatistics() {
    return ruledOutByStatistics;
  }

  /**
   * A unit of kept row groups without the pages whose rows the page index rules out, except for the
   * predicate's own columns. Placeholder pages hold other values: the predicate has to be evaluated
   * on the rows that are read.
   *
   * @throws IOException when the file cannot be read, or its page index is damaged
   */
  public ReadUnit skipPages(ReadUnit unit, long mergeDistance) throws IOException {
    long matching = Arrays.stream(unit.rowGroups()).mapToLong(this::matchingRows).sum();
    if (matching * WORTHWHILE > unit.rows()) {
      return unit;
    }
    Set<String> whole =
        ReferencedColumns.of(predicate).map(column -> column.toArray()[0]).collect(toSet());
    return SkippablePages.read(unit, whole, mergeDistance, conf, counters).skipPages(this::rowsOf);
  }

  private long matchingRows(int rowGroup) {
    RowRanges known = rows.get(rowGroup);
    return known == null ? footer.rowGroups().get(rowGroup).getRowCount() : known.rowCount();
  }

  private RowSelection rowsOf(int rowGroup) {
    RowRanges known = rows.get(rowGroup);
    return (from, to) -> known == null || known.isOverlapping(from, to - 1);
  }

  /** The row ranges by row group; none where page indexes are damaged, which is no failure. */
  private Map<Integer, RowRanges> rowsByPages(List<Integer> rowGroups) {
    try {
      return new PageIndexFilter(file, footer, predicate).rows(rowGroups, conf, counters);
    } catch (IOException | RuntimeException | LinkageError e) {
      LOG.debug("The page indexes of {} are not used", file.path(), e);
      return Map.of();
    }
  }

  private static boolean isEmpty(@Nullable RowRanges rows) {
    return rows != null && rows.rowCount() == 0;
  }

  private boolean mayMatch(int rowGroup) {
    return !StatisticsFilter.canDrop(predicate, footer.rowGroups().get(rowGroup).getColumns());
  }
}
