package io.mooring.parquet.read;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.ParquetOptions;
import ai.rapids.cudf.Table;
import io.mooring.parquet.unit.ChunkedDecoding;
import io.mooring.parquet.unit.ReadUnit;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one unit as libcudf decodes them: one table, or several of about {@link
 * ReadUnit#outputChunkBytes} each, cut where pages end. A single page may exceed that. Belongs to
 * the thread of its task.
 */
interface DecodedTables extends AutoCloseable {
  /**
   * Decodes a unit with the reader of libcudf that supports it.
   *
   * @param upload whose bytes are on the device
   */
  static DecodedTables of(UnitUpload upload) {
    ReadUnit unit = upload.unit();
    if (!unit.isChunked()) {
      return new WholeTable(upload);
    }
    ChunkedDecoding decoding = ChunkedDecoding.of(unit);
    return decoding.hybrid()
        ? new HybridChunkedTables(upload, decoding)
        : new FileChunkedTables(upload, decoding);
  }

  /**
   * The next rows in the order of the file, with the unit's columns in the order asked for; null
   * after the last. The caller closes the table.
   */
  @Nullable Table next();

  @Override
  void close();

  /** The options of libcudf's readers for a unit. */
  static ParquetOptions options(ReadUnit unit) {
    ParquetOptions.Builder options = ParquetOptions.builder();
    if (!unit.isNested()) {
      // Nested columns cannot be selected by name: cudf 26.08.1 asks for options of their children.
      unit.columns().forEach(options::includeColumn);
    }
    options.withTimeUnit(DType.TIMESTAMP_MICROSECONDS);
    return options.build();
  }
}
