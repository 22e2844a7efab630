package io.mooring.scan.plan;

import io.mooring.parquet.unit.ReadUnit;

/**
 * What a task reads of one file at once.
 *
 * @param plan of the split of the file
 * @param unit row groups of this file alone
 * @param first whether it is the first of its split
 */
public record FileUnit(FilePlan plan, ReadUnit unit, boolean first) {
  /** The same, not the first of its split. */
  public FileUnit later() {
    return new FileUnit(plan, unit, false);
  }
}
