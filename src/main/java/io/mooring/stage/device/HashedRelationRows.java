package io.mooring.stage.device;

import io.mooring.expr.device.SparkFallbackException;
import java.util.function.Consumer;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.joins.EmptyHashedRelation$;
import org.apache.spark.sql.execution.joins.HashedRelation;
import org.apache.spark.sql.execution.joins.HashedRelationWithAllNullKeys$;
import org.apache.spark.sql.execution.joins.LongHashedRelation;
import org.apache.spark.sql.execution.joins.UnsafeHashedRelation;
import scala.collection.Iterator;

/** Reads the rows out of the hashed relations that Spark broadcasts. */
final class HashedRelationRows {
  private static final int ROWS_BETWEEN_LOOKS = 0xffff;

  private final Consumer<InternalRow> use;
  private long rows;

  private HashedRelationRows(Consumer<InternalRow> use) {
    this.use = use;
  }

  /**
   * Gives each row in any order, rows of equal keys included; a row is valid until the next one.
   * There is no row where a null-aware join found a null key.
   *
   * @throws SparkFallbackException for a relation of another kind
   */
  static void forEach(HashedRelation relation, Consumer<InternalRow> use) {
    // Several tasks may read one relation at a time.
    HashedRelation own = relation.asReadOnlyCopy();
    HashedRelationRows rows = new HashedRelationRows(use);
    if (own instanceof UnsafeHashedRelation) {
      // This relation's keys() repeats a key for each of its rows.
      var values = own.valuesWithKeyIndex();
      while (values.hasNext()) {
        rows.give(values.next().getValue());
      }
    } else if (own instanceof LongHashedRelation) {
      rows.giveByKeys(own);
    } else if (own != EmptyHashedRelation$.MODULE$ && !hasNullKey(own)) {
      throw new SparkFallbackException("a broadcast of " + own.getClass().getSimpleName());
    }
  }

  /** Whether a null-aware join found a null key, and so kept no row. */
  static boolean hasNullKey(HashedRelation relation) {
    return relation == HashedRelationWithAllNullKeys$.MODULE$;
  }

  private void giveByKeys(HashedRelation relation) {
    Iterator<InternalRow> keys = relation.keys();
    while (keys.hasNext()) {
      Iterator<InternalRow> values = relation.get(keys.next());
      while (values.hasNext()) {
        give(values.next());
      }
    }
  }

  private void give(InternalRow row) {
    use.accept(row);
    if ((++rows & ROWS_BETWEEN_LOOKS) == 0) {
      TaskContext task = TaskContext.get();
      if (task != null) {
        // Ends this attempt only: other tasks may still need the rows, and read them again.
        task.killTaskIfInterrupted();
      }
    }
  }
}
