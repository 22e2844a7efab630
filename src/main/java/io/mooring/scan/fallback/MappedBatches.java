package io.mooring.scan.fallback;

import java.io.Closeable;
import java.io.IOException;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/**
 * The batches of a file's reader, each mapped to another batch of its rows. Closing the iterator
 * closes the file. Belongs to one thread.
 */
final class MappedBatches extends AbstractIterator<ColumnarBatch> implements Closeable {
  private final Iterator<?> batches;
  private final UnaryOperator<ColumnarBatch> mapping;

  /**
   * @param batches of {@link ColumnarBatch}, closeable where the file has to be closed
   */
  MappedBatches(Iterator<?> batches, UnaryOperator<ColumnarBatch> mapping) {
    this.batches = batches;
    this.mapping = mapping;
  }

  @Override
  public boolean hasNext() {
    return batches.hasNext();
  }

  @Override
  public ColumnarBatch next() {
    return mapping.apply((ColumnarBatch) batches.next());
  }

  @Override
  public void close() throws IOException {
    if (batches instanceof Closeable open) {
      open.close();
    }
  }
}
