package io.mooring.scan;

import io.mooring.parquet.footer.UnreadableOnGpuException;
import java.util.Locale;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.Type;
import org.apache.spark.sql.types.StructField;
import org.jspecify.annotations.Nullable;

/** The columns of a file, or the fields of a struct in it, by the names that the table has. */
record FileFields(GroupType group, ReadSettings settings) {
  private static final String FIELD_ID_KEY = "parquet.field.id";

  /**
   * Finds a field; null when the file lacks it.
   *
   * @throws UnreadableOnGpuException when Spark finds it by other rules, or in vain
   */
  @Nullable Type find(StructField field) throws UnreadableOnGpuException {
    if (settings.fieldIds() && field.metadata().contains(FIELD_ID_KEY)) {
      throw new UnreadableOnGpuException("columns are matched by field id");
    }
    Type found = null;
    for (Type column : group.getFields()) {
      boolean same = isSame(column.getName(), field.name());
      if (same && found != null) {
        throw new UnreadableOnGpuException("column " + field.name() + " is ambiguous");
      } else if (same) {
        found = column;
      }
    }
    return found;
  }

  private boolean isSame(String column, String wanted) {
    return column.equals(wanted)
        || (!settings.caseSensitive()
            && column.toLowerCase(Locale.ROOT).equals(wanted.toLowerCase(Locale.ROOT)));
  }
}
