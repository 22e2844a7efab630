package io.mooring.stage.replicated;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.joins.HashedRelation;
import org.jspecify.annotations.Nullable;
import scala.collection.Iterator;

/**
 * The relation of a build side as joins see it. Whole-stage code generation asks for a relation on
 * the driver, where there are no rows, and generates code for its class, so that both have this
 * class. It belongs to one thread, as Spark's relations do; see {@link #asReadOnlyCopy}.
 */
public final class ReplicatedRelation implements HashedRelation {
  private static final ReplicatedRelation ELSEWHERE = new ReplicatedRelation(null);

  private final @Nullable HashedRelation rows;

  ReplicatedRelation(@Nullable HashedRelation rows) {
    this.rows = rows;
  }

  /** The relation outside of tasks, which has no rows. */
  static ReplicatedRelation elsewhere() {
    return ELSEWHERE;
  }

  /**
   * The relation that has the rows.
   *
   * @throws IllegalStateException outside of tasks
   */
  public HashedRelation rows() {
    if (rows == null) {
      throw new IllegalStateException("Only tasks read the rows of a replicated build side");
    }
    return rows;
  }

  @Override
  public Iterator<InternalRow> get(InternalRow key) {
    return rows().get(key);
  }

  @Override
  public Iterator<InternalRow> get(long key) {
    return rows().get(key);
  }

  @Override
  public InternalRow getValue(InternalRow key) {
    return rows().getValue(key);
  }

  @Override
  public InternalRow getValue(long key) {
    return rows().getValue(key);
  }

  /** Whether keys are unique; false where that is not known. */
  @Override
  public boolean keyIsUnique() {
    return rows != null && rows.keyIsUnique();
  }

  @Override
  public Iterator<InternalRow> keys() {
    return rows().keys();
  }

  @Override
  public ReplicatedRelation asReadOnlyCopy() {
    return rows == null ? this : new ReplicatedRelation(rows.asReadOnlyCopy());
  }

  @Override
  public long estimatedSize() {
    return rows == null ? 0 : rows.estimatedSize();
  }

  /** Does nothing: other tasks use the rows as well. */
  @Override
  public void close() {}
}
