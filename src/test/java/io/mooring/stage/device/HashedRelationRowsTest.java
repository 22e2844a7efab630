package io.mooring.stage.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.TaskContext$;
import org.apache.spark.TaskContextImpl;
import org.apache.spark.TaskKilledException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.execution.joins.EmptyHashedRelation$;
import org.apache.spark.sql.execution.joins.HashedRelation;
import org.apache.spark.sql.execution.joins.HashedRelationWithAllNullKeys$;
import org.apache.spark.sql.execution.joins.LongHashedRelation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

class HashedRelationRowsTest {
  private final TaskContextImpl task = TaskContext$.MODULE$.empty();

  /** One row over and over, without an end. */
  private static final class Endless extends LongHashedRelation {
    private static final InternalRow ROW = new GenericInternalRow(new Object[] {1L});

    Endless() {
      super(1, null);
    }

    @Override
    public LongHashedRelation asReadOnlyCopy() {
      return this;
    }

    @Override
    public Iterator<InternalRow> keys() {
      return CollectionConverters.asScala(Stream.generate(() -> ROW).iterator());
    }

    @Override
    public Iterator<InternalRow> get(InternalRow key) {
      return CollectionConverters.asScala(List.of(ROW).iterator());
    }
  }

  @BeforeEach
  void begin() {
    TaskContext$.MODULE$.setTaskContext(task);
  }

  @AfterEach
  void end() {
    TaskContext$.MODULE$.unset();
  }

  @Test
  void ofANullKeyThereAreNoRows() {
    HashedRelation nulls = HashedRelationWithAllNullKeys$.MODULE$;
    List<InternalRow> rows = new ArrayList<>();
    HashedRelationRows.forEach(nulls, rows::add);
    assertThat(rows).isEmpty();
    assertThat(HashedRelationRows.hasNullKey(nulls)).isTrue();
    assertThat(HashedRelationRows.hasNullKey(EmptyHashedRelation$.MODULE$)).isFalse();
  }

  /** Not as rows that are Spark's to read, which would keep them from other tasks' GPU. */
  @Test
  @Timeout(60)
  void aKilledTaskEndsAsOne() {
    task.markInterrupted("not wanted any more");
    assertThatThrownBy(() -> HashedRelationRows.forEach(new Endless(), row -> {}))
        .isInstanceOf(TaskKilledException.class);
  }
}
