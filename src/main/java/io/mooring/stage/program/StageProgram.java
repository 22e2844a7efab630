package io.mooring.stage.program;

import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;

/**
 * The operators of a stage, bottom first. Immutable.
 *
 * @param operators over the columns of the scan
 * @param aggregate over their results; null for none
 * @param output types of the columns that leave the stage
 */
public record StageProgram(
    List<RowOperator> operators, @Nullable GroupedAggregate aggregate, List<DataType> output)
    implements Serializable {
  public StageProgram {
    operators = List.copyOf(operators);
    output = List.copyOf(output);
  }

  /** Whether a task gives a row even for no rows, as an aggregate without keys does. */
  public boolean givesARow() {
    return aggregate != null && aggregate.keys().isEmpty();
  }

  /** The row of an aggregate without keys for no rows: Spark's own partial group. */
  public UnsafeRow groupOfNothing() {
    Object[] buffers =
        Objects.requireNonNull(aggregate).functions().stream()
            .flatMap(function -> function.ofNothing().stream())
            .toArray();
    return UnsafeProjection.create(output.toArray(DataType[]::new))
        .apply(new GenericInternalRow(buffers));
  }

  /** The sort with a limit that ends the stage; null when none does. */
  public RowOperator.@Nullable Top top() {
    return !operators.isEmpty()
            && operators.get(operators.size() - 1) instanceof RowOperator.Top top
        ? top
        : null;
  }

  /** Whether rows keep the order of the files, as Spark's operators keep it. */
  public boolean keepsOrder() {
    return aggregate == null
        && operators.stream()
            .allMatch(it -> it instanceof RowOperator.Filter || it instanceof RowOperator.Project);
  }

  /** The most rows that the operators make of one, joins aside. */
  public int expansion() {
    return operators.stream()
        .filter(RowOperator.Expand.class::isInstance)
        .mapToInt(operator -> ((RowOperator.Expand) operator).projections().size())
        .reduce(1, Math::multiplyExact);
  }

  /** Whether expanded rows leave the stage: expanding them after it costs less. */
  boolean givesExpanded() {
    return aggregate == null && expansion() > 1;
  }

  /** Whether it does more than leave out columns or change their order. */
  public boolean computes() {
    return aggregate != null || operators.stream().anyMatch(RowOperator::computes);
  }
}
