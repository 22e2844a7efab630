package io.mooring.columnar;

import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;

/**
 * A Spark type and which of its parts are decoded. Immutable.
 *
 * @param parts for a struct, the shape of each field, null where the file lacks the field; for an
 *     array, the shape of the elements; for a map, the shapes of keys and values; otherwise empty
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
