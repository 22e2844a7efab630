package io.mooring.spark.plan.scripts;

import io.mooring.columnar.RowReaders;
import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.jspecify.annotations.Nullable;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * The rows of another RDD, with a note of the thread that reads them. Spark asks for the first row
 * of a script on the task's thread, and reads on a thread of its own, which it does not wait for
 * when the task ends: the batch that the first row is of must stay for that thread.
 */
final class ScriptRowsRdd extends RDD<InternalRow> {
  private static final long serialVersionUID = 1;
  private static final ClassTag<InternalRow> ROW = ClassTag$.MODULE$.apply(InternalRow.class);

  ScriptRowsRdd(RDD<InternalRow> rows) {
    super(rows, ROW);
  }

  @Override
  public Partition[] getPartitions() {
    return firstParent(ROW).partitions();
  }

  @Override
  public Iterator<InternalRow> compute(Partition partition, TaskContext task) {
    return new NotingIterator(firstParent(ROW).iterator(partition, task), task);
  }

  private static final class NotingIterator extends AbstractIterator<InternalRow> {
    private final Iterator<InternalRow> rows;
    private final TaskContext task;
    private @Nullable Thread last;

    NotingIterator(Iterator<InternalRow> rows, TaskContext task) {
      this.rows = rows;
      this.task = task;
    }

    private void note() {
      Thread here = Thread.currentThread();
      if (here != last) {
        last = here;
        RowReaders.readHere(task);
      }
    }

    @Override
    public boolean hasNext() {
      note();
      return rows.hasNext();
    }

    @Override
    public InternalRow next() {
      note();
      return rows.next();
    }
  }
}
