package io.mooring.scan;

import io.mooring.parquet.footer.UnreadableOnGpuException;
import io.mooring.parquet.unit.CoalescedUnit;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.pushdown.Column;
import io.mooring.pushdown.PartialAggregate;
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
 * Puts the steps of a task together. Small units that come one behind the other become one, as long
 * as the output takes nothing from a file in which they differ.
 */
final class UnitCoalescer {
  private static final Logger LOG = LoggerFactory.getLogger(UnitCoalescer.class);

  private final ScanReaderFactory factory;
  private final long mostBytes;
  private final List<Column> constantsUsed;
  private final List<ScanSteps.Step> steps = new ArrayList<>();
  private final List<UnitPart> open = new ArrayList<>();
  private long openBytes;
  private long openRows;

  /** Of units for the scan's own output. */
  UnitCoalescer(ScanReaderFactory factory) {
    this(factory, columnsUsed(factory));
  }

  /** Of units whose columns all are taken for the same where they are in no file. */
  static UnitCoalescer ofStage(ScanReaderFactory factory) {
    return new UnitCoalescer(factory, factory.pushdown().columns());
  }

  private UnitCoalescer(ScanReaderFactory factory, Set<String> constantsUsed) {
    this.factory = factory;
    this.mostBytes = Math.min(factory.settings().coalesceBytes(), factory.settings().unitBytes());
    this.constantsUsed = columns(factory, constantsUsed);
  }

  /** The columns that a filter or an aggregate takes for the same in all of a unit. */
  private static Set<String> columnsUsed(ScanReaderFactory factory) {
    Set<String> names = new LinkedHashSet<>();
    PartialAggregate aggregate = factory.pushdown().aggregate();
    if (aggregate != null) {
      aggregate.addColumns(names);
    }
    if (factory.pushdown().filter() != null) {
      factory.pushdown().filter().addColumns(names);
    }
    return names;
  }

  private static List<Column> columns(ScanReaderFactory factory, Set<String> names) {
    StructType read = factory.readColumns();
    return names.stream().map(name -> new Column(name, read.apply(name).dataType())).toList();
  }

  void add(UnitPart part) {
    if (!open.isEmpty() && !fits(part)) {
      close();
    }
    open.add(part);
    openBytes += part.unit().decodedBytes();
    openRows += part.unit().rows();
  }

  void add(ScanSteps.Step step) {
    close();
    steps.add(step);
  }

  List<ScanSteps.Step> steps() {
    close();
    return List.copyOf(steps);
  }

  private boolean fits(UnitPart part) {
    UnitPart first = open.get(0);
    return openBytes + part.unit().decodedBytes() <= mostBytes
        && openRows + part.unit().rows() <= Integer.MAX_VALUE
        && CoalescedUnit.canCoalesce(first.unit(), part.unit())
        && Arrays.equals(first.plan().columns().decodedAt(), part.plan().columns().decodedAt())
        && constantsUsed.stream()
            .allMatch(
                column ->
                    Objects.equals(
                        factory.constants().of(first.plan(), column),
                        factory.constants().of(part.plan(), column)));
  }

  private void close() {
    List<UnitPart> parts = List.copyOf(open);
    open.clear();
    openBytes = 0;
    openRows = 0;
    try {
      if (!parts.isEmpty()) {
        add(parts, CoalescedUnit.of(parts.stream().map(UnitPart::unit).toList()));
      }
    } catch (IOException | UnreadableOnGpuException e) {
      LOG.debug("{} files are decoded one by one", parts.size(), e);
      parts.forEach(part -> steps.add(new ScanSteps.Decode(List.of(part), part.unit())));
    }
  }

  private void add(List<UnitPart> parts, ReadUnit unit) throws UnreadableOnGpuException {
    Probe probe = Probe.of(factory, parts.get(0).plan(), unit);
    steps.add(probe == null ? new ScanSteps.Decode(parts, unit) : new ScanSteps.Look(parts, probe));
  }
}
