package io.mooring.scan;

import io.mooring.parquet.unit.ReadUnit;

/**
 * What a unit reads of one file.
 *
 * @param unit of this file alone
 * @param first whether nothing of the split comes before it
 */
record UnitPart(FilePlan plan, ReadUnit unit, boolean first) {}
