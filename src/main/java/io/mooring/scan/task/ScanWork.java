package io.mooring.scan.task;

import io.mooring.parquet.unit.ReadUnit;
import io.mooring.scan.plan.FilePlan;
import io.mooring.scan.plan.ScanUnit;
import io.mooring.scan.split.FileSplit;
import java.util.ArrayList;
import java.util.List;

/** One piece of the work of a scan's task. */
public sealed interface ScanWork {
  /** How a unit is decoded beside the others of its task. */
  enum Attempt {
    /** A planned unit, which was read ahead. */
    PLANNED,
    /** Read now: it was planned together with files of which one is damaged. */
    UNPLANNED,
    /** Read now, with the GPU to itself: device memory did not suffice for more. */
    ALONE
  }

  /** Decodes a unit on the GPU. */
  record Decode(ScanUnit unit, Attempt attempt) implements ScanWork {
    Decode(ScanUnit unit) {
      this(unit, Attempt.PLANNED);
    }
  }

  /** Decodes the filter's columns of a unit first, and the others where a row passes. */
  record DecodeLate(ScanUnit unit, LateMaterialization late) implements ScanWork {
    /** The same unit with all columns decoded at once. */
    Decode atOnce() {
      return new Decode(unit);
    }
  }

  /**
   * Gives rows without any column of their file.
   *
   * @param first whether they are the first of their split
   */
  record CountRows(FilePlan plan, int rows, boolean first) implements ScanWork {}

  /** Leaves a split to Spark's reader. */
  public record Fallback(FileSplit split) implements ScanWork {}

  /** The units that are read ahead, in the order in which they are decoded. */
  static List<ReadUnit> readUnits(List<ScanWork> work) {
    List<ReadUnit> units = new ArrayList<>();
    for (ScanWork next : work) {
      if (next instanceof Decode decode) {
        units.add(decode.unit().unit());
      } else if (next instanceof DecodeLate late) {
        units.add(late.late().unit());
      }
    }
    return units;
  }
}
