package io.mooring.parquet.read;

import ai.rapids.cudf.Table;
import io.mooring.parquet.unit.ReadUnit;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one unit as libcudf decodes them: one table, or several of about {@link
 * ReadUnit#outputChunkBytes} each, cut where pages end. A single page may exceed that. Belongs to
 * the thread of its task.
 */
interface DecodedTables extends AutoCloseable {
  /**
   * The next rows in the order of the file, with the unit's columns in the order asked for; null
   * after the last. The caller closes the table.
   */
  @Nullable Table next();

  @Override
  void close();
}
