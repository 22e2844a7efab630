package io.mooring.scan;

import io.mooring.columnar.TypeSupport;
import io.mooring.parquet.Footer;
import io.mooring.parquet.UnreadableOnGpuException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.parquet.schema.Type;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Which columns of a file are decoded for the columns that are wanted.
 *
 * @param names as the file spells them
 * @param types Spark types, in the same order
 * @param decodedAt for each wanted column its place among the decoded, -1 for a missing one
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record FileColumns(List<String> names, List<DataType> types, int[] decodedAt) {
  private static final String DEFAULT_VALUE_KEY = "EXISTS_DEFAULT";
  private static final String FIELD_ID_KEY = "parquet.field.id";

  /**
   * Finds the columns in a file.
   *
   * @throws UnreadableOnGpuException when one of them is Spark's to read, with the reason
   */
  static FileColumns of(Footer footer, StructType wanted, ReadSettings settings)
      throws UnreadableOnGpuException {
    List<String> names = new ArrayList<>();
    List<DataType> types = new ArrayList<>();
    int[] decodedAt = new int[wanted.length()];
    for (int i = 0; i < decodedAt.length; i++) {
      StructField field = wanted.fields()[i];
      Type column = find(footer, field, settings);
      decodedAt[i] = column == null ? -1 : names.size();
      if (column != null) {
        check(footer, column, field.dataType(), settings);
        names.add(column.getName());
        types.add(field.dataType());
      }
    }
    return new FileColumns(List.copyOf(names), List.copyOf(types), decodedAt);
  }

  private static @Nullable Type find(Footer footer, StructField field, ReadSettings settings)
      throws UnreadableOnGpuException {
    if (settings.fieldIds() && field.metadata().contains(FIELD_ID_KEY)) {
      throw new UnreadableOnGpuException("columns are matched by field id");
    }
    Type found = null;
    for (Type column : footer.schema().getFields()) {
      boolean same = isSame(column.getName(), field.name(), settings.caseSensitive());
      if (same && found != null) {
        throw new UnreadableOnGpuException("column " + field.name() + " is ambiguous");
      } else if (same) {
        found = column;
      }
    }
    if (found == null && field.metadata().contains(DEFAULT_VALUE_KEY)) {
      throw new UnreadableOnGpuException("column " + field.name() + " has a default value");
    }
    return found;
  }

  private static boolean isSame(String column, String wanted, boolean caseSensitive) {
    return column.equals(wanted)
        || (!caseSensitive
            && column.toLowerCase(Locale.ROOT).equals(wanted.toLowerCase(Locale.ROOT)));
  }

  private static void check(Footer footer, Type column, DataType type, ReadSettings settings)
      throws UnreadableOnGpuException {
    String problem = TypeSupport.problem(column, type);
    if (problem == null && column.getName().indexOf('.') >= 0) {
      problem = "column " + column.getName() + " has a dot in its name";
    }
    if (problem == null) {
      problem = new RebaseCheck(footer, settings).problem(column.asPrimitiveType(), type);
    }
    if (problem != null) {
      throw new UnreadableOnGpuException(problem);
    }
  }
}
