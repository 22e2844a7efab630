package io.mooring.stage.program;

import io.mooring.expr.DeviceExpr;
import java.io.Serializable;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.types.DataType;

/**
 * A partial aggregate. Its rows are the keys and then the buffers of the functions, for Spark's
 * aggregate above to merge. A group may have several rows.
 *
 * @param keys of the groups, where null is a key as well; empty for one group of all rows
 */
public record GroupedAggregate(List<DeviceExpr> keys, List<BufferFunction> functions)
    implements Serializable {
  public GroupedAggregate {
    keys = List.copyOf(keys);
    functions = List.copyOf(functions);
  }

  /** The expressions over rows: keys, and inputs and filters of the functions that add rows. */
  public List<DeviceExpr> expressions() {
    return Stream.concat(
            keys.stream(),
            functions.stream()
                .filter(function -> !function.merges())
                .flatMap(BufferFunction::expressions))
        .toList();
  }

  /** Whether libcudf sorts the rows to group them, which takes a copy of what it adds up. */
  public boolean isSorted() {
    return functions.stream().anyMatch(it -> it.kind() == BufferFunction.Kind.MOMENTS);
  }

  /** The types of its columns. */
  public List<DataType> output() {
    return Stream.concat(
            keys.stream().map(DeviceExpr::type),
            functions.stream().flatMap(function -> function.buffers().stream()))
        .toList();
  }
}
