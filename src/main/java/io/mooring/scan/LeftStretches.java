package io.mooring.scan;

import io.mooring.parquet.unit.ReadUnit;
import java.util.ArrayList;
import java.util.List;

/** The stretches of files in which a unit's row groups lie, for Spark's reader. */
final class LeftStretches {
  private LeftStretches() {}

  /** One split for each file of which the unit has row groups, in order. */
  static List<FileSplit> of(ScanSteps.Decode step) {
    List<FileSplit> splits = new ArrayList<>();
    int before = 0;
    for (UnitPart part : step.parts()) {
      int from = before;
      List<Integer> own = new ArrayList<>();
      for (int i = 0; i < part.unit().rowGroups().length; i++) {
        // The row groups of a lone file keep its numbers, those of several are counted through.
        int index = step.parts().size() == 1 ? part.unit().rowGroups()[i] : from + i;
        if (contains(step.unit(), index)) {
          own.add(part.unit().rowGroups()[i]);
        }
      }
      before += part.unit().rowGroups().length;
      if (!own.isEmpty()) {
        splits.add(stretch(part, own.get(0), own.get(own.size() - 1)));
      }
    }
    return splits;
  }

  private static boolean contains(ReadUnit unit, int rowGroup) {
    for (int index : unit.rowGroups()) {
      if (index == rowGroup) {
        return true;
      }
    }
    return false;
  }

  /** From the middle of the first row group to that of the last: only these, and pruned. */
  private static FileSplit stretch(UnitPart part, int first, int last) {
    long[] middles = part.unit().footer().middles();
    long start = middles[first];
    return part.plan().split().withRange(start, middles[last] + 1 - start);
  }
}
