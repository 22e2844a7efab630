package io.mooring.scan.task;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.Scalar;
import ai.rapids.cudf.Table;
import io.mooring.columnar.ColumnShape;
import io.mooring.columnar.WideningCasts;
import io.mooring.parquet.footer.ProjectedColumn;
import io.mooring.parquet.footer.UnreadableOnGpuException;
import io.mooring.parquet.source.UnitSources;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.unit.ScanCounters.Counter;
import io.mooring.parquet.unit.UnitPlanner;
import io.mooring.pushdown.Constant;
import io.mooring.pushdown.Expr;
import io.mooring.pushdown.device.DeviceEvaluator;
import io.mooring.scan.output.FileFilter;
import io.mooring.scan.plan.FilePlan;
import io.mooring.scan.plan.ScanContext;
import io.mooring.scan.schema.FileColumns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The late materialization of a unit: its filter columns are decoded first, its payload columns
 * only of row groups and pages in which a row passes.
 *
 * @param whole the unit with all columns
 * @param unit the same row groups with the filter's columns
 * @param plan of a file of the unit, narrowed to those
 */
record LateMaterialization(
    ReadUnit whole, ReadUnit unit, FilePlan plan, Expr filter, SelectivityHistory.Key key) {
  // Below this ratio the extra decode call costs more than it saves.
  private static final int LEAST_RATIO = 3;

  /** The late materialization of a unit; null when it would not pay. */
  static @Nullable LateMaterialization of(ScanContext context, FilePlan plan, ReadUnit whole)
      throws UnreadableOnGpuException {
    Expr filter = new FileFilter(context.pushdown().filter(), context.constants()).in(plan);
    if (filter == null || filter instanceof Constant) {
      return null;
    }
    // The bytes are there already, and the first unit of a file takes them.
    if (UnitSources.areOnHeap(whole.files().files())) {
      return null;
    }
    FilePlan narrow = narrow(context, plan, filter);
    if (narrow == null) {
      return null;
    }
    String folder = String.valueOf(plan.split().path());
    SelectivityHistory.Key key =
        new SelectivityHistory.Key(
            filter, context.columns().data(), folder.substring(0, folder.lastIndexOf('/') + 1));
    ReadUnit unit = unit(context, whole, narrow);
    boolean pays =
        unit.encodedBytes() * LEAST_RATIO <= whole.encodedBytes()
            // The filter columns of all rows are needed at once.
            && !unit.chunkedBeyond(context.settings().decodeBytes()).isChunked()
            && SelectivityHistory.shared().worthwhile(key);
    return pays ? new LateMaterialization(whole, unit, narrow, filter, key) : null;
  }

  /**
   * The plan with the filter's columns alone; null where one of them is of row indexes, which no
   * column chunk has.
   */
  private static @Nullable FilePlan narrow(ScanContext context, FilePlan plan, Expr filter) {
    Set<String> needed = new LinkedHashSet<>();
    filter.addColumns(needed);
    List<ProjectedColumn> read = new ArrayList<>();
    List<ColumnShape> shapes = new ArrayList<>();
    int[] decodedAt = new int[context.columns().data().length()];
    for (int i = 0; i < decodedAt.length; i++) {
      int at = plan.columns().decodedAt()[i];
      boolean wanted = at >= 0 && needed.contains(context.columns().data().fields()[i].name());
      if (wanted && at == plan.columns().read().size()) {
        return null;
      }
      decodedAt[i] = wanted ? read.size() : -1;
      if (wanted) {
        read.add(plan.columns().read().get(at));
        shapes.add(plan.columns().shapes().get(at));
      }
    }
    return new FilePlan(
        plan.split(),
        List.of(),
        plan.rows(),
        new FileColumns(read, shapes, decodedAt),
        0,
        0,
        plan.deleted());
  }

  private static ReadUnit unit(ScanContext context, ReadUnit whole, FilePlan narrow)
      throws UnreadableOnGpuException {
    return planner(context, whole, narrow.columns().names())
        .plan(IntStream.of(whole.rowGroups()).boxed().toList())
        .get(0);
  }

  private static UnitPlanner planner(ScanContext context, ReadUnit whole, List<String> columns) {
    return new UnitPlanner(
        whole.files(), whole.footer(), columns, Long.MAX_VALUE, context.settings().mergeDistance());
  }

  /**
   * The row groups in which a row passes, as a unit with all columns; null when there is none.
   *
   * @param skipping what leaves pages of them unread; null for reading all
   * @param filtered called once the filter is evaluated, before anything is read for skipping
   */
  @Nullable ReadUnit survivors(
      ScanContext context, Table table, @Nullable PageSkipping skipping, Runnable filtered) {
    return WideningCasts.use(
        table, plan.columns().shapes(), wide -> survivorsOfWide(context, wide, skipping, filtered));
  }

  private @Nullable ReadUnit survivorsOfWide(
      ScanContext context, Table table, @Nullable PageSkipping skipping, Runnable filtered) {
    try (ColumnVector mask =
        DeviceEvaluator.values(filter, context.constants().device(plan, table))) {
      List<Integer> passing = passing(mask);
      filtered.run();
      ReadUnit remaining = passing.isEmpty() ? null : of(context, passing);
      if (remaining != null && skipping != null) {
        remaining = skipping.skipPages(remaining, unit, Set.copyOf(plan.columns().names()), mask);
      }
      SelectivityHistory.shared()
          .add(key, whole.encodedBytes(), remaining == null ? 0 : remaining.encodedBytes());
      return remaining;
    }
  }

  private List<Integer> passing(ColumnVector mask) {
    List<Integer> passing = new ArrayList<>();
    ColumnView[] masks = mask.splitAsViews(borders());
    try {
      for (int i = 0; i < masks.length; i++) {
        if (anyTrue(masks[i])) {
          passing.add(unit.rowGroups()[i]);
        }
      }
    } finally {
      Arrays.stream(masks).forEach(ColumnView::close);
    }
    return passing;
  }

  /** Counts what need not be read. */
  void count(Optional<ReadUnit> remaining, ScanCounters counters) {
    int rowGroups = remaining.map(survivors -> survivors.rowGroups().length).orElse(0);
    long read = unit.encodedBytes() + remaining.map(ReadUnit::encodedBytes).orElse(0L);
    counters.add(Counter.ROW_GROUPS_SKIPPED, unit.rowGroups().length - rowGroups);
    counters.add(Counter.BYTES_SKIPPED, Math.max(0, whole.encodedBytes() - read));
  }

  private ReadUnit of(ScanContext context, List<Integer> rowGroups) {
    try {
      ReadUnit planned = planner(context, whole, whole.columns()).plan(rowGroups).get(0);
      return planned.chunkedBeyond(context.settings().decodeBytes());
    } catch (UnreadableOnGpuException e) {
      throw new IllegalStateException("A part of a readable unit cannot be read", e);
    }
  }

  /** The row at which each row group but the first begins. */
  private int[] borders() {
    int[] rowGroups = unit.rowGroups();
    int[] borders = new int[rowGroups.length - 1];
    long row = 0;
    for (int i = 0; i < borders.length; i++) {
      row += unit.footer().rowGroups().get(rowGroups[i]).getRowCount();
      borders[i] = (int) row;
    }
    return borders;
  }

  private static boolean anyTrue(ColumnView mask) {
    try (Scalar any = mask.any()) {
      return any.isValid() && any.getBoolean();
    }
  }
}
