package io.mooring.scan.iceberg;

import io.mooring.scan.schema.FileColumns;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
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

  /** The id of a file's first row, in a column of the relation that no table has. */
  public static final String FIRST_ROW_ID = "_mooring_first_row_id";

  /** The number of the commit that added a file, in a column of the relation likewise. */
  public static final String SEQUENCE_NUMBER = "_mooring_data_sequence_number";

  /** The index of a row in its file, in a column of the relation likewise. */
  public static final String ROW_INDEX = "_mooring_row_index";

  /** The columns of the relation that Iceberg's reader does not need: it computes the lineage. */
  static final List<String> INPUTS = List.of(FIRST_ROW_ID, SEQUENCE_NUMBER, ROW_INDEX);

  /** For the field id of each column, the column of the file's value that stands in for nulls. */
  static final Map<Integer, String> VALUES_OF_FILES =
      Map.of(
          Integer.MAX_VALUE - 107, FIRST_ROW_ID,
          Integer.MAX_VALUE - 108, SEQUENCE_NUMBER);

  private RowLineage() {}

  /** Whether columns of files have values for row lineage. */
  public static boolean isIn(StructType ofFiles) {
    return Arrays.stream(ofFiles.fieldNames()).anyMatch(INPUTS::contains);
  }

  /** The columns of a scan's rows, with the index of a row where its id is computed. */
  static StructType withInputs(StructType ofRows, StructType ofFiles) {
    return List.of(ofFiles.fieldNames()).contains(FIRST_ROW_ID) ? ofRows.add(rowIndex()) : ofRows;
  }

  private static StructField rowIndex() {
    return new StructField(
        ROW_INDEX,
        DataTypes.LongType,
        true,
        new MetadataBuilder().putString(FileColumns.GENERATED_KEY, FileColumns.ROW_INDEX).build());
  }
}
