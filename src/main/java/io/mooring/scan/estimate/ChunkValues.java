package io.mooring.scan.estimate;

import org.apache.parquet.column.EncodingStats;
import org.apache.parquet.column.statistics.IntStatistics;
import org.apache.parquet.column.statistics.LongStatistics;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.schema.PrimitiveType;

/** Estimates the number of distinct values of one column chunk from its footer alone. */
record ChunkValues(ColumnChunkMetaData chunk) {
  /** The length of texts of which no statistics tell: Spark's own guess. */
  private static final double TEXT_BYTES = 20;

  /** The most bytes that one byte of a compressed dictionary page is taken to have been. */
  private static final double MOST_COMPRESSION = 4;

  /** Whether the footer tells how the pages are encoded. */
  boolean isKnown() {
    return chunk.getEncodingStats() != null;
  }

  /** The order of magnitude of distinct values; as many as values where no dictionary tells. */
  double distinct() {
    double most = Math.max(1, Math.min(values(), range()));
    EncodingStats encodings = chunk.getEncodingStats();
    boolean dictionary =
        encodings.hasDictionaryPages()
            && !encodings.hasNonDictionaryEncodedPages()
            && dictionaryBytes() > 0;
    return dictionary ? Math.min(most, Math.max(1, dictionaryBytes() / valueBytes())) : most;
  }

  private double values() {
    Statistics<?> statistics = chunk.getStatistics();
    long nulls = statistics != null && statistics.isNumNullsSet() ? statistics.getNumNulls() : 0;
    return chunk.getValueCount() - nulls;
  }

  private double range() {
    return isInteger() ? max() - min() + 1 : Double.POSITIVE_INFINITY;
  }

  /** Whether the statistics have the least and the greatest of integers, decimals or dates. */
  boolean isInteger() {
    Statistics<?> statistics = chunk.getStatistics();
    return (statistics instanceof IntStatistics || statistics instanceof LongStatistics)
        && statistics.hasNonNullValue();
  }

  /** The least integer. */
  double min() {
    return ((Number) chunk.getStatistics().genericGetMin()).doubleValue();
  }

  /** The greatest integer. */
  double max() {
    return ((Number) chunk.getStatistics().genericGetMax()).doubleValue();
  }

  /** Bytes of the dictionary page before its compression; 0 where the footer does not tell. */
  private double dictionaryBytes() {
    long from = chunk.getDictionaryPageOffset();
    double compressed = from <= 0 ? 0 : Math.max(0, chunk.getFirstDataPageOffset() - from);
    // Dictionary indexes hardly compress: what compression saves in the chunk is the dictionary's.
    double lost = Math.max(0, chunk.getTotalUncompressedSize() - chunk.getTotalSize());
    return Math.min(compressed + lost, MOST_COMPRESSION * compressed);
  }

  private double valueBytes() {
    PrimitiveType type = chunk.getPrimitiveType();
    return switch (type.getPrimitiveTypeName()) {
      case BOOLEAN -> 1;
      case INT32, FLOAT -> Integer.BYTES;
      case INT64, DOUBLE -> Long.BYTES;
      case INT96 -> Long.BYTES + Integer.BYTES;
      case FIXED_LEN_BYTE_ARRAY -> type.getTypeLength();
      case BINARY -> Integer.BYTES + textBytes();
    };
  }

  /** The length of texts, of which the least and the greatest are samples. */
  private double textBytes() {
    Statistics<?> statistics = chunk.getStatistics();
    return statistics != null && statistics.hasNonNullValue()
        ? (statistics.getMinBytes().length + statistics.getMaxBytes().length) / 2.0
        : TEXT_BYTES;
  }
}
