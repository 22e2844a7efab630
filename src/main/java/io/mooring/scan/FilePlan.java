package io.mooring.scan;

import io.mooring.parquet.ReadUnit;
import java.util.List;
import org.apache.spark.sql.types.DataType;

/**
 * How the GPU reads one split of a file.
 *
 * @param units what is read, in order; empty when no column of the file is wanted
 * @param rows rows of the split
 * @param decodedAt for each required column its place in a decoded table, -1 for a missing one
 * @param decodedTypes Spark types of the decoded columns
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record FilePlan(
    FileSplit split,
    List<ReadUnit> units,
    long rows,
    int[] decodedAt,
    List<DataType> decodedTypes) {}
