package io.mooring.scan;

import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.jspecify.annotations.Nullable;

/**
 * What a task gives Spark for rows of Spark's reader. A row is valid until the next one. Belongs to
 * the thread of its task.
 */
interface RowOutput {
  /** The next row to give, or null when there is none; {@code read} is then at its end. */
  @Nullable InternalRow next(Iterator<InternalRow> read);

  static RowOutput of(ScanReaderFactory factory) {
    if (factory.pushdown().isNone()) {
      return read -> read.hasNext() ? read.next() : null;
    }
    return factory.pushdown().aggregate() == null
        ? new FilteredRows(factory.pushdown(), factory.readColumns())
        : new AggregatedRows(factory.pushdown(), factory.readColumns());
  }
}
