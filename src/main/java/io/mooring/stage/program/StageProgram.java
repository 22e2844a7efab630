package io.mooring.stage.program;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;

/**
 * The operators of a stage, bottom first. Immutable.
 *
 * @param steps over the columns of the scan
 * @param aggregate over what they leave; null for none
 * @param output types of the columns that leave the stage
 */
public record StageProgram(
    List<RowOperator> steps, @Nullable GroupedAggregate aggregate, List<DataType> output)
    implements Serializable {
  public StageProgram {
    steps = List.copyOf(steps);
    output = List.copyOf(output);
  }

  /** Whether a task gives a row even of no rows: that of an aggregate without keys. */
  public boolean givesARow() {
    return aggregate != null && aggregate.keys().isEmpty();
  }

  /** How many rows the steps make of one at most, but for those of joins. */
  public int expansion() {
    return steps.stream()
        .filter(RowOperator.Expand.class::isInstance)
        .mapToInt(step -> ((RowOperator.Expand) step).projections().size())
        .reduce(1, Math::multiplyExact);
  }

  /** Whether rows leave it that were made several of each, which Spark does at less cost. */
  boolean givesExpanded() {
    return aggregate == null && expansion() > 1;
  }

  /** Whether it does more than leave out columns or change their order. */
  public boolean computes() {
    return aggregate != null || steps.stream().anyMatch(RowOperator::computes);
  }
}
