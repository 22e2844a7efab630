package io.mooring.columnar;

import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;

/**
 * A Spark type and which of its parts are decoded. Immutable.
 *
 * @param parts of a struct for each field its shape, null where the file lacks the field; of an
 *     array the element's; of a map the key's and the value's; of any other type none
 */
public record ColumnShape(DataType type, List<@Nullable ColumnShape> parts) {

  /** A type without parts. */
  public static ColumnShape flat(DataType type) {
    return new ColumnShape(type, List.of());
  }

  /** The parts that are decoded. */
  List<ColumnShape> decoded() {
    return parts.stream().filter(Objects::nonNull).map(Objects::requireNonNull).toList();
  }
}
