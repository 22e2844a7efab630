package io.mooring.scan.prune;

import java.io.Serializable;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.StructType;

/**
 * Keys of joins by the partition columns that they are compared with.
 *
 * @param keys by the ordinals of partition columns
 */
public record PartitionKeys(Map<Integer, KeyRanges> keys, StructType partition)
    implements Serializable {
  static final PartitionKeys NONE = new PartitionKeys(Map.of(), new StructType());

  /** Whether rows of a file with these partition values may find a row to join with. */
  boolean mayMatch(InternalRow values) {
    return keys.entrySet().stream()
        .allMatch(column -> mayMatch(values, column.getKey(), column.getValue()));
  }

  private boolean mayMatch(InternalRow values, int ordinal, KeyRanges ranges) {
    DataType type = partition.fields()[ordinal].dataType();
    if (type instanceof LongType) {
      return !values.isNullAt(ordinal) && ranges.contains(values.getLong(ordinal));
    } else if (type instanceof IntegerType || type instanceof DateType) {
      return !values.isNullAt(ordinal) && ranges.contains(values.getInt(ordinal));
    }
    return true;
  }
}
