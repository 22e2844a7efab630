package io.mooring.scan.task;

import io.mooring.parquet.footer.UnreadableOnGpuException;
import io.mooring.parquet.unit.CoalescedUnit;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.pushdown.Column;
import io.mooring.pushdown.PartialAggregate;
import io.mooring.scan.plan.ScanContext;
import io.mooring.scan.plan.ScanUnit;
import io.mooring.scan.plan.ScanUnit.FileUnit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.spark.sql.types.StructType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects the work of a task. Small units that follow each other become one, unless a column that
 * the output takes for constant differs between their files.
 */
public final class UnitCoalescer {
  private static final Logger LOG = LoggerFactory.getLogger(UnitCoalescer.class);

  private final ScanContext context;
  private final long mostBytes;
  private final List<Column> constantsUsed;
  private final List<ScanWork> work = new ArrayList<>();
  private final List<FileUnit> open = new ArrayList<>();
  private long openBytes;
  private long openRows;

  /** Makes units for the scan's own output. */
  public UnitCoalescer(ScanContext context) {
    this(context, columnsUsed(context));
  }

  /** Makes units for a stage: a constant column has one value in all files of a unit. */
  public static UnitCoalescer ofStage(ScanContext context) {
    return new UnitCoalescer(context, context.pushdown().columns());
  }

  private UnitCoalescer(ScanContext context, Set<String> constantsUsed) {
    this.context = context;
    this.mostBytes = Math.min(context.settings().coalesceBytes(), context.settings().unitBytes());
    this.constantsUsed = columns(context, constantsUsed);
  }

  /** The columns that a filter or an aggregate takes for the same in all of a unit. */
  private static Set<String> columnsUsed(ScanContext context) {
    Set<String> names = new LinkedHashSet<>();
    PartialAggregate aggregate = context.pushdown().aggregate();
    if (aggregate != null) {
      aggregate.addColumns(names);
    }
    if (context.pushdown().filter() != null) {
      context.pushdown().filter().addColumns(names);
    }
    return names;
  }

  private static List<Column> columns(ScanContext context, Set<String> names) {
    StructType read = context.columns().all();
    return names.stream().map(name -> new Column(name, read.apply(name).dataType())).toList();
  }

  void add(FileUnit file) {
    if (!open.isEmpty() && !fits(file)) {
      close();
    }
    open.add(file);
    openBytes += file.unit().decodedBytes();
    openRows += file.unit().rows();
  }

  void add(ScanWork next) {
    close();
    work.add(next);
  }

  /** All of the work, in order. */
  public List<ScanWork> finish() {
    close();
    return List.copyOf(work);
  }

  private boolean fits(FileUnit file) {
    FileUnit first = open.get(0);
    return openBytes + file.unit().decodedBytes() <= mostBytes
        && openRows + file.unit().rows() <= Integer.MAX_VALUE
        && CoalescedUnit.canCoalesce(first.unit(), file.unit())
        && Arrays.equals(first.plan().columns().decodedAt(), file.plan().columns().decodedAt())
        && constantsUsed.stream()
            .allMatch(
                column ->
                    Objects.equals(
                        context.constants().of(first.plan(), column),
                        context.constants().of(file.plan(), column)));
  }

  private void close() {
    List<FileUnit> files = List.copyOf(open);
    open.clear();
    openBytes = 0;
    openRows = 0;
    try {
      if (!files.isEmpty()) {
        List<ReadUnit> units = files.stream().map(FileUnit::unit).toList();
        add(new ScanUnit(files, CoalescedUnit.of(units)));
      }
    } catch (IOException | UnreadableOnGpuException e) {
      LOG.debug("{} files are decoded one by one", files.size(), e);
      files.forEach(
          file -> work.add(new ScanWork.Decode(new ScanUnit(List.of(file), file.unit()))));
    }
  }

  private void add(ScanUnit unit) throws UnreadableOnGpuException {
    LateMaterialization late = LateMaterialization.of(context, unit.plan(), unit.unit());
    work.add(late == null ? new ScanWork.Decode(unit) : new ScanWork.DecodeLate(unit, late));
  }
}
