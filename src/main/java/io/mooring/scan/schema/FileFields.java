package io.mooring.scan.schema;

import io.mooring.parquet.footer.UnreadableOnGpuException;
import io.mooring.session.ReadSettings;
import java.util.Arrays;
import java.util.Locale;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.Type;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a file, or the fields of a struct in it, by the names, or field ids, that the
 * table has.
 */
public record FileFields(GroupType group, ReadSettings settings) {
  /** The key in a column's metadata of the id by which files have it, whatever its name there. */
  public static final String FIELD_ID_KEY = "parquet.field.id";

  /**
   * Finds a field; null when the file lacks it.
   *
   * @throws UnreadableOnGpuException when it is ambiguous, or Spark finds it by other rules
   */
  @Nullable Type find(StructField field) throws UnreadableOnGpuException {
    Type found = null;
    for (Type column : group.getFields()) {
      boolean same = isSame(column, field);
      if (same && found != null) {
        throw new UnreadableOnGpuException("column " + field.name() + " is ambiguous");
      } else if (same) {
        found = column;
      }
    }
    return found;
  }

  /** Whether a field is in the file, by the id that it has, and has the same name there. */
  public boolean hasByName(StructField field) {
    return group.getFields().stream()
        .anyMatch(column -> isSame(column, field) && column.getName().equals(field.name()));
  }

  /**
   * Whether columns that are read have ids, at any depth; Spark fails where files have none at all
   * then.
   */
  public static boolean haveIds(DataType type) {
    if (type instanceof StructType struct) {
      return Arrays.stream(struct.fields())
          .anyMatch(it -> it.metadata().contains(FIELD_ID_KEY) || haveIds(it.dataType()));
    } else if (type instanceof ArrayType array) {
      return haveIds(array.elementType());
    }
    return type instanceof MapType map && (haveIds(map.keyType()) || haveIds(map.valueType()));
  }

  /** Whether a schema of a file has an id at any depth. */
  static boolean hasIds(GroupType schema) {
    return schema.getFields().stream()
        .anyMatch(it -> it.getId() != null || (!it.isPrimitive() && hasIds(it.asGroupType())));
  }

  /** The id of a field in files; -1 where it has none. */
  public static int id(StructField field) {
    return field.metadata().contains(FIELD_ID_KEY)
        ? (int) field.metadata().getLong(FIELD_ID_KEY)
        : -1;
  }

  private boolean isSame(Type column, StructField field) {
    if (settings.fieldIds() && field.metadata().contains(FIELD_ID_KEY)) {
      Type.ID id = column.getId();
      return id != null && id.intValue() == id(field);
    }
    return isSame(column.getName(), field.name());
  }

  private boolean isSame(String column, String wanted) {
    return column.equals(wanted)
        || (!settings.caseSensitive()
            && column.toLowerCase(Locale.ROOT).equals(wanted.toLowerCase(Locale.ROOT)));
  }
}
