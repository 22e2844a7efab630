package io.mooring.scan.plan;

import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.footer.UnreadableOnGpuException;
import java.util.List;
import java.util.Set;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.statistics.LongStatistics;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/** Checks that libcudf decodes a column chunk to the values that were written. */
final class ColumnChunkChecks {
  private static final Set<CompressionCodecName> CODECS =
      Set.of(
          CompressionCodecName.UNCOMPRESSED,
          CompressionCodecName.SNAPPY,
          CompressionCodecName.GZIP,
          CompressionCodecName.ZSTD,
          CompressionCodecName.LZ4_RAW);
  private static final long MICROS_OF_MILLI = 1000;
  private static final long FIRST_MILLI = Long.MIN_VALUE / MICROS_OF_MILLI;
  private static final long LAST_MILLI = Long.MAX_VALUE / MICROS_OF_MILLI;

  private ColumnChunkChecks() {}

  /**
   * Passes row groups whose column chunks are decoded to the values that were written.
   *
   * @param leaves the columns that are decoded
   * @throws UnreadableOnGpuException for all others, with the reason
   */
  static void check(Footer footer, List<Integer> rowGroups, Set<ColumnPath> leaves)
      throws UnreadableOnGpuException {
    for (int index : rowGroups) {
      int found = 0;
      for (ColumnChunkMetaData chunk : footer.rowGroups().get(index).getColumns()) {
        if (leaves.contains(chunk.getPath())) {
          checkCodec(chunk);
          checkEncodings(chunk);
          checkMilliseconds(chunk);
          found++;
        }
      }
      if (found != leaves.size()) {
        throw new UnreadableOnGpuException("a row group lacks columns of the schema");
      }
    }
  }

  private static void checkCodec(ColumnChunkMetaData chunk) throws UnreadableOnGpuException {
    if (chunk.isEncrypted()) {
      throw new UnreadableOnGpuException("columns are encrypted");
    } else if (!CODECS.contains(chunk.getCodec())) {
      throw new UnreadableOnGpuException("the codec is " + chunk.getCodec());
    }
  }

  private static void checkEncodings(ColumnChunkMetaData chunk) throws UnreadableOnGpuException {
    PrimitiveType type = chunk.getPrimitiveType();
    if (type.getPrimitiveTypeName() == PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY
        && chunk.getEncodings().contains(Encoding.DELTA_BYTE_ARRAY)) {
      throw new UnreadableOnGpuException("values of fixed length are encoded as DELTA_BYTE_ARRAY");
    }
    // All decoders of libcudf 26.08 but this one convert times to the requested unit.
    if (isTimeOfAnotherUnit(type) && chunk.getEncodings().contains(Encoding.DELTA_BINARY_PACKED)) {
      throw new UnreadableOnGpuException(
          "times in another unit than microseconds are encoded as DELTA_BINARY_PACKED");
    }
  }

  private static boolean isTimeOfAnotherUnit(PrimitiveType type) {
    return type.getLogicalTypeAnnotation() instanceof TimestampLogicalTypeAnnotation time
        && time.getUnit() != TimeUnit.MICROS;
  }

  /** Out of the range of Spark's microseconds Spark's reader throws, and the GPU would wrap. */
  private static void checkMilliseconds(ColumnChunkMetaData chunk) throws UnreadableOnGpuException {
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
      return statistics.getMin() >= FIRST_MILLI && statistics.getMax() <= LAST_MILLI;
    }
    return statistics.isNumNullsSet() && statistics.getNumNulls() == chunk.getValueCount();
  }
}
