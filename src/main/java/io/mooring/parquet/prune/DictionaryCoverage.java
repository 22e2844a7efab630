package io.mooring.parquet.prune;

import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;

/**
 * Tells from a footer whether reading a dictionary is likely to save more bytes than it takes. A
 * dictionary that holds nearly all integers between its smallest and its largest lacks hardly any
 * that a filter asks for, and statistics have ruled out the others already.
 */
final class DictionaryCoverage {
  // Takes no longer to read than to skip.
  private static final int SMALL_BYTES = 1 << 10;

  private DictionaryCoverage() {}

  /**
   * Whether a dictionary should be read.
   *
   * @param entries of the dictionary; -1 where unknown
   * @param values how many values a filter asks for
   */
  static boolean mayPay(ColumnChunkMetaData chunk, int entries, int values) {
    double range = range(chunk);
    if (range <= 0) {
      return true;
    } else if (entries >= range) {
      return false;
    }
    double page = DictionaryPages.bytes(chunk);
    // At least: codecs make integers no longer, apart from a few bytes that the header has room
    // for.
    double held = entries >= 0 ? entries : (page - SMALL_BYTES) / width(chunk);
    double lacksAll = Math.pow(1 - Math.max(0, Math.min(1, held / range)), values);
    return page <= SMALL_BYTES || lacksAll * chunk.getTotalSize() >= page;
  }

  /** How many integers lie between the smallest and the largest of a chunk; 0 where unknown. */
  private static double range(ColumnChunkMetaData chunk) {
    Statistics<?> statistics = chunk.getStatistics();
    if (width(chunk) == 0 || statistics == null || !statistics.hasNonNullValue()) {
      return 0;
    }
    double least = ((Number) statistics.genericGetMin()).doubleValue();
    double most = ((Number) statistics.genericGetMax()).doubleValue();
    // Unsigned integers above all signed ones make it negative, which is no range either.
    return most - least + 1;
  }

  private static int width(ColumnChunkMetaData chunk) {
    return switch (chunk.getPrimitiveType().getPrimitiveTypeName()) {
      case INT32 -> Integer.BYTES;
      case INT64 -> Long.BYTES;
      default -> 0;
    };
  }
}
