package io.mooring.scan;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.StructType;

/** Picks the partition columns that are read out of a directory's partition values. */
final class PartitionProjection {
  private final StructType all;
  private final int[] ordinals;

  PartitionProjection(StructType all, StructType read) {
    this.all = all;
    List<String> names = Arrays.stream(all.fieldNames()).map(PartitionProjection::folded).toList();
    this.ordinals =
        Arrays.stream(read.fieldNames()).mapToInt(name -> names.indexOf(folded(name))).toArray();
  }

  InternalRow apply(InternalRow values) {
    Object[] picked = new Object[ordinals.length];
    for (int i = 0; i < ordinals.length; i++) {
      picked[i] = values.get(ordinals[i], all.fields()[ordinals[i]].dataType());
    }
    return new GenericInternalRow(picked);
  }

  private static String folded(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
