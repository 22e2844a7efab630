package io.mooring.scan.plan;

import io.mooring.parquet.footer.UnreadableOnGpuException;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/** Which encodings libcudf does not decode for a type, or decodes to other values. */
final class DecodableEncodings {
  private DecodableEncodings() {}

  /**
   * Passes chunks that are decoded to the values that were written.
   *
   * @throws UnreadableOnGpuException for all others
   */
  static void check(ColumnChunkMetaData chunk) throws UnreadableOnGpuException {
    PrimitiveType type = chunk.getPrimitiveType();
    if (type.getPrimitiveTypeName() == PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY
        && chunk.getEncodings().contains(Encoding.DELTA_BYTE_ARRAY)) {
      throw new UnreadableOnGpuException("values of fixed length are encoded as DELTA_BYTE_ARRAY");
    }
    // libcudf 26.08 turns times into the unit that is asked for in all of its decoders but this.
    if (isTimeOfAnotherUnit(type) && chunk.getEncodings().contains(Encoding.DELTA_BINARY_PACKED)) {
      throw new UnreadableOnGpuException("times are no microseconds, in DELTA_BINARY_PACKED");
    }
  }

  private static boolean isTimeOfAnotherUnit(PrimitiveType type) {
    return type.getLogicalTypeAnnotation() instanceof TimestampLogicalTypeAnnotation time
        && time.getUnit() != TimeUnit.MICROS;
  }
}
