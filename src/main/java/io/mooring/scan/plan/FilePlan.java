package io.mooring.scan.plan;

import io.mooring.parquet.unit.ReadUnit;
import io.mooring.scan.schema.FileColumns;
import io.mooring.scan.split.FileSplit;
import java.util.List;

/**
 * How the GPU reads one split of a file.
 *
 * @param units what is read, in order; empty when no column of the file is wanted
 * @param rows rows of the split that are read
 * @param columns what is decoded
 * @param pruned row groups of the split that are pruned
 * @param prunedRows rows of these
 * @param deleted rows of the file that are decoded and dropped
 */
public record FilePlan(
    FileSplit split,
    List<ReadUnit> units,
    long rows,
    FileColumns columns,
    int pruned,
    long prunedRows,
    DeletedRows deleted) {}
