package io.mooring.scan.plan;

import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.footer.FooterCache;
import io.mooring.parquet.footer.FooterRewriter;
import io.mooring.parquet.footer.RowGroups;
import io.mooring.parquet.footer.UnreadableOnGpuException;
import io.mooring.parquet.prune.RowGroupPruner;
import io.mooring.parquet.source.FileBytes;
import io.mooring.parquet.source.FileState;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.unit.ScanCounters.Counter;
import io.mooring.parquet.unit.UnitPlanner;
import io.mooring.scan.prune.PruningFilters;
import io.mooring.scan.prune.PruningHistory;
import io.mooring.scan.schema.FileColumns;
import io.mooring.scan.split.FileSplit;
import io.mooring.session.ReadSettings;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides for each split of a file whether, and how, the GPU reads it. */
public final class FilePlanner {
  private static final Logger LOG = LoggerFactory.getLogger(FilePlanner.class);
  private final FileSchema schema;
  private final ReadSettings settings;
  private final Configuration conf;
  private final PruningFilters filters;
  private final PruningHistory.Key history;
  private final ScanCounters counters;

  /** A planner with counters of its own. */
  public FilePlanner(
      FileSchema schema, ReadSettings settings, PruningFilters filters, Configuration conf) {
    this(schema, settings, filters, conf, new ScanCounters());
  }

  /**
   * @param counters of what planning reads of the files
   */
  public FilePlanner(
      FileSchema schema,
      ReadSettings settings,
      PruningFilters filters,
      Configuration conf,
      ScanCounters counters) {
    this.schema = schema;
    this.settings = settings;
    this.filters = filters;
    this.history = PruningHistory.Key.of(filters, schema.columns());
    this.conf = conf;
    this.counters = counters;
  }

  /**
   * Plans one split.
   *
   * @throws UnreadableOnGpuException when the split is Spark's to read, with the reason
   */
  public FilePlan plan(FileSplit split) throws UnreadableOnGpuException {
    FooterCache.Found found = footer(split);
    DeletedRows deleted = schema.deletedRows(split, conf);
    try {
      FilePlan plan = plan(split, found.footer(), deleted);
      if (plan.readsNothing() && !found.isCurrent()) {
        checkUnchanged(split.file());
      }
      return plan;
    } catch (RuntimeException e) {
      // A footer can parse and make no sense all the same: Spark's reader finds the words for it.
      throw new UnreadableOnGpuException("the footer makes no sense", e);
    }
  }

  private FilePlan plan(FileSplit split, Footer footer, DeletedRows deleted)
      throws UnreadableOnGpuException {
    List<Integer> rowGroups = RowGroups.ofSplit(footer, split.start(), split.length());
    FileColumns columns = FileColumns.of(footer, schema.columns(), settings);
    schema.checkMissing(split, columns);
    if (columns.read().isEmpty()) {
      checkCounted(columns);
      long live = rows(footer, rowGroups) - deleted.countIn(footer.rowGroups(), rowGroups);
      return new FilePlan(split, List.of(), live, columns, 0, 0, deleted);
    }
    ColumnChunkChecks.check(footer, rowGroups, columns.leaves());
    RowGroupPruner pruner = pruner(split, footer);
    List<Integer> remaining = remaining(split, pruner, rowGroups);
    if (FileBytes.isSmall(split.file())) {
      PruningHistory.shared().add(history, pruner != null && pruner.isRuledOutByStatistics());
    }
    List<ReadUnit> whole =
        new UnitPlanner(
                split.file(),
                columns.areAsWritten() ? footer : FooterRewriter.project(footer, columns.read()),
                columns.names(),
                settings.unitBytes(),
                settings.mergeDistance())
            .plan(remaining);
    List<ReadUnit> units =
        whole.stream()
            .map(unit -> skipPages(pruner, unit.chunkedBeyond(settings.decodeBytes())))
            .toList();
    long rows = rows(footer, remaining);
    int pruned = rowGroups.size() - remaining.size();
    // Used for metrics only: a wrong row count of a row group that is not read does no harm.
    long all = rowGroups.stream().mapToLong(i -> footer.rowGroups().get(i).getRowCount()).sum();
    return new FilePlan(split, units, rows, columns, pruned, Math.max(0, all - rows), deleted);
  }

  /** Row indexes belong to rows that are decoded: where none is, there is only their number. */
  private static void checkCounted(FileColumns columns) throws UnreadableOnGpuException {
    if (columns.hasRowIndexes()) {
      throw new UnreadableOnGpuException("nothing but row indexes is read of it");
    }
  }

  /** Null where there is nothing to prune by. */
  private @Nullable RowGroupPruner pruner(FileSplit split, Footer footer) {
    try {
      FilterPredicate predicate = filters.predicate(footer, schema.columns(), settings);
      return predicate == null
          ? null
          : new RowGroupPruner(split.file(), footer, predicate, conf, counters);
    } catch (RuntimeException | LinkageError e) {
      LOG.debug("No row group of {} is pruned", split.path(), e);
      return null;
    }
  }

  /** Pruning is to save work: where it fails, everything is read. */
  private static List<Integer> remaining(
      FileSplit split, @Nullable RowGroupPruner pruner, List<Integer> rowGroups) {
    try {
      return pruner == null ? rowGroups : pruner.remaining(rowGroups);
    } catch (IOException | RuntimeException | LinkageError e) {
      LOG.debug("No row group of {} is pruned", split.path(), e);
      return rowGroups;
    }
  }

  private ReadUnit skipPages(@Nullable RowGroupPruner pruner, ReadUnit unit) {
    // Rows with values that are not theirs must not leave the scan.
    if (pruner == null || !settings.skipPages() || !filters.evaluated()) {
      return unit;
    }
    try {
      ReadUnit sparse = pruner.skipPages(unit, settings.mergeDistance());
      counters.add(Counter.BYTES_SKIPPED, unit.encodedBytes() - sparse.encodedBytes());
      return sparse;
    } catch (IOException | RuntimeException | LinkageError e) {
      LOG.debug("No page of {} is skipped", unit.files(), e);
      return unit;
    }
  }

  /** Asks for the state of a file of which nothing is read: nothing else would find it replaced. */
  private void checkUnchanged(ParquetFile file) throws UnreadableOnGpuException {
    try {
      FileState.now(file, conf, counters);
    } catch (IOException e) {
      throw new UnreadableOnGpuException("it is no longer the file whose footer was read", e);
    }
  }

  private FooterCache.Found footer(FileSplit split) throws UnreadableOnGpuException {
    try {
      return FooterCache.shared().footer(split.file(), conf, counters, isReadWhole(split));
    } catch (IOException e) {
      // Spark's reader meets the same error and reports it in its own words.
      throw new UnreadableOnGpuException("the footer cannot be read", e);
    }
  }

  /**
   * Whether a file in a store is read at once: it is small, no other split has a part of it, and
   * statistics hardly rule it out.
   */
  private boolean isReadWhole(FileSplit split) {
    ParquetFile file = split.file();
    return FileBytes.isSmall(file)
        && split.length() >= file.length()
        && !schema.columns().isEmpty()
        && !PruningHistory.shared().mostAreRuledOut(history);
  }

  private static long rows(Footer footer, List<Integer> rowGroups) throws UnreadableOnGpuException {
    long rows = 0;
    for (int index : rowGroups) {
      long more = footer.rowGroups().get(index).getRowCount();
      if (more < 0 || rows + more < 0) {
        throw new UnreadableOnGpuException("the footer's row counts are not plausible");
      }
      rows += more;
    }
    return rows;
  }
}
