package io.mooring.scan.iceberg;

import static io.mooring.scan.iceberg.IcebergScan.LIBRARY;

import io.mooring.scan.library.UnknownVersionException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * The columns of Iceberg's own that have one value in all rows of a file: {@code _file}, {@code
 * _spec_id} and {@code _partition}, and a file's values for the {@link RowLineage} of its rows.
 * Used on the driver.
 *
 * @param ids the field ids of those that the scan reads; a file's values for row lineage have the
 *     ids of its columns
 * @param schema the same as Spark has them
 * @param partitionType of all specifications that the table has had; null where nothing is read
 */
record IcebergFileColumns(
    IcebergScan scan, List<Integer> ids, StructType schema, @Nullable Object partitionType) {
  private static final String PACKAGE = "org.apache.iceberg.";
  private static final int FILE = Integer.MAX_VALUE - 1;
  private static final int SPECIFICATION = Integer.MAX_VALUE - 4;
  private static final int PARTITION = Integer.MAX_VALUE - 5;
  private static final Set<Integer> ALL = Set.of(FILE, SPECIFICATION, PARTITION);

  /** The columns that a query reads. */
  static IcebergFileColumns of(IcebergScan scan) {
    List<Integer> ids = new ArrayList<>();
    StructType schema = new StructType();
    for (Object field : (List<?>) LIBRARY.call(scan.projection(), "columns")) {
      int id = IcebergColumns.id(field);
      if (RowLineage.VALUES_OF_FILES.containsKey(id)) {
        ids.add(id);
        schema = schema.add(RowLineage.VALUES_OF_FILES.get(id), DataTypes.LongType);
      } else if (ALL.contains(id)) {
        ids.add(id);
        schema = schema.add(scan.schema().apply((String) LIBRARY.call(field, "name")));
      }
    }
    Object type = ids.isEmpty() ? null : partitionType(scan);
    return new IcebergFileColumns(scan, List.copyOf(ids), schema, type);
  }

  private static Object partitionType(IcebergScan scan) {
    return LIBRARY.callStatic(PACKAGE + "Partitioning", "partitionType", scan.table());
  }

  /** Whether a field id is that of such a column, or of one that is computed from its values. */
  static boolean has(int id) {
    return ALL.contains(id) || RowLineage.VALUES_OF_FILES.containsKey(id);
  }

  /** Why the values cannot be had; empty where nothing is known against it. */
  String problem() {
    if (ids.isEmpty()) {
      return "";
    }
    try {
      // What is missing in a version of Iceberg is found before the query runs.
      scan.tasks().stream().limit(1).forEach(this::values);
      if (!hasWholePartitions()) {
        return "the query asks for a part of _partition";
      }
      return lineageProblem();
    } catch (UnknownVersionException e) {
      return "this version of Iceberg is not known";
    }
  }

  private String lineageProblem() {
    if (!RowLineage.isIn(schema)) {
      return "";
    }
    for (String column : scan.schema().fieldNames()) {
      if (RowLineage.INPUTS.stream().anyMatch(column::equalsIgnoreCase)) {
        return "the query asks for row ids and a column " + column;
      }
    }
    // Iceberg's reader gives no commits of rows either where a file has no first row id.
    return scan.tasks().stream().allMatch(task -> task.file().hasRowIds())
        ? ""
        : "files were written in a format without row ids";
  }

  private boolean hasWholePartitions() {
    int at = ids.indexOf(PARTITION);
    return at < 0
        || schema
            .fields()[at]
            .dataType()
            .equals(
                LIBRARY.callStatic(PACKAGE + "spark.SparkSchemaUtil", "convert", wholePartition()));
  }

  private Object wholePartition() {
    return Objects.requireNonNull(partitionType, "no column of files is read");
  }

  /** The values in a file, as Iceberg's own reader would repeat them. */
  InternalRow values(IcebergTask task) {
    if (ids.isEmpty()) {
      return InternalRow.empty();
    }
    BiFunction<Object, @Nullable Object, @Nullable Object> asSparks =
        (type, value) ->
            value == null
                ? null
                : LIBRARY.callStatic(PACKAGE + "spark.SparkUtil", "internalToSpark", type, value);
    Map<?, ?> constants =
        (Map<?, ?>)
            LIBRARY.callStatic(
                PACKAGE + "util.PartitionUtil",
                "constantsMap",
                task.task(),
                wholePartition(),
                asSparks);
    return new GenericInternalRow(ids.stream().map(constants::get).toArray());
  }
}
