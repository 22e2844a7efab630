package io.mooring.scan.iceberg;

import io.mooring.scan.schema.FileColumns;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.MetadataBuilder;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * The columns of row lineage, which tables of format 3 have: the id of a row, and the number of the
 * commit that last changed it. A file stores both for rows that were copied to it. For its other
 * rows the id is the file's first row id and the row's index in the file, added up, and the number
 * is that of the commit which added the file.
 */
public final class RowLineage {
  /** The id of a row. */
  public static final String ROW_ID = "_row_id";

  /** The number of the commit that last changed a row. */
  public static final String LAST_UPDATED = "_last_updated_sequence_number";

  /** The id of a file's first row, in a column of the relation. */
  public static final String FIRST_ROW_ID = "_first_row_id";

  /** The number of the commit that added a file, in a column of the relation. */
  public static final String SEQUENCE_NUMBER = "_data_sequence_number";

  /** The index of a row in its file. */
  public static final String ROW_INDEX = "_pos";

  /** The columns of the relation that Iceberg's reader needs not: it gives the results itself. */
  static final Set<String> INPUTS = Set.of(FIRST_ROW_ID, SEQUENCE_NUMBER, ROW_INDEX);

  /** For the field id of each column, the column of the file's value that stands in for nulls. */
  static final Map<Integer, String> VALUES_OF_FILES =
      Map.of(
          Integer.MAX_VALUE - 107, FIRST_ROW_ID,
          Integer.MAX_VALUE - 108, SEQUENCE_NUMBER);

  private RowLineage() {}

  /** The columns of a scan's rows, with the row's index where an id is computed from it. */
  static StructType withInputs(StructType ofRows, StructType ofFiles) {
    boolean complete =
        !Set.of(ofFiles.fieldNames()).contains(FIRST_ROW_ID)
            || Set.of(ofRows.fieldNames()).contains(ROW_INDEX);
    return complete ? ofRows : ofRows.add(rowIndex());
  }

  private static StructField rowIndex() {
    return new StructField(
        ROW_INDEX,
        DataTypes.LongType,
        true,
        new MetadataBuilder().putString(FileColumns.GENERATED_KEY, FileColumns.ROW_INDEX).build());
  }
}
