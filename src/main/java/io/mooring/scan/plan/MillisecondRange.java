package io.mooring.scan.plan;

import io.mooring.parquet.footer.UnreadableOnGpuException;
import org.apache.parquet.column.statistics.LongStatistics;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;

/**
 * Whether a chunk's milliseconds are in the range of Spark's microseconds. Where they are not,
 * Spark's reader throws, and the GPU would wrap.
 */
final class MillisecondRange {
  private static final long MICROS_OF_MILLI = 1000;
  private static final long FIRST = Long.MIN_VALUE / MICROS_OF_MILLI;
  private static final long LAST = Long.MAX_VALUE / MICROS_OF_MILLI;

  private MillisecondRange() {}

  /**
   * Passes chunks of any other type, and those whose statistics show that they are in range.
   *
   * @throws UnreadableOnGpuException for all others
   */
  static void check(ColumnChunkMetaData chunk) throws UnreadableOnGpuException {
    if (chunk.getPrimitiveType().getLogicalTypeAnnotation()
            instanceof TimestampLogicalTypeAnnotation type
        && type.getUnit() == TimeUnit.MILLIS
        && !isInRange(chunk)) {
      throw new UnreadableOnGpuException(
          "column " + chunk.getPath().toDotString() + " may hold milliseconds out of range");
    }
  }

  private static boolean isInRange(ColumnChunkMetaData chunk) {
    if (!(chunk.getStatistics() instanceof LongStatistics statistics)) {
      return false;
    } else if (statistics.hasNonNullValue()) {
      return statistics.getMin() >= FIRST && statistics.getMax() <= LAST;
    }
    return statistics.isNumNullsSet() && statistics.getNumNulls() == chunk.getValueCount();
  }
}
