package io.mooring.scan.split;

import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.StructType;

/** Picks the partition columns that are read out of a directory's partition values. */
public final class PartitionProjection {
  private final StructType all;
  private final int[] ordinals;

  public PartitionProjection(StructType all, StructType read) {
    this.all = all;
    this.ordinals = Arrays.stream(read.fieldNames()).mapToInt(all::fieldIndex).toArray();
  }

  public InternalRow apply(InternalRow values) {
    Object[] picked = new Object[ordinals.length];
    for (int i = 0; i < ordinals.length; i++) {
      picked[i] = values.get(ordinals[i], all.fields()[ordinals[i]].dataType());
    }
    return new GenericInternalRow(picked);
  }
}
