package io.mooring.scan.iceberg;

import static io.mooring.scan.iceberg.IcebergScan.LIBRARY;

import io.mooring.scan.schema.FileColumns;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.MetadataBuilder;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** The columns of an Iceberg table as its files have them: by the ids of fields at any depth. */
final class IcebergColumns {
  private static final String FIELD_ID = "parquet.field.id";
  // By the specification, higher ids belong to columns that data files do not store.
  private static final int LAST_ID = Integer.MAX_VALUE - 201;
  private static final int ROW_INDEX_ID = Integer.MAX_VALUE - 2;
  // Types whose values Spark's type of the same column has in Parquet files as well.
  private static final Set<String> TYPES =
      Set.of(
          "BOOLEAN",
          "INTEGER",
          "LONG",
          "FLOAT",
          "DOUBLE",
          "DATE",
          "TIMESTAMP",
          "STRING",
          "BINARY",
          "DECIMAL");

  private IcebergColumns() {}

  /** Columns with the ids of their fields, and a mark on those that files may lack a value of. */
  static StructType withIds(StructType columns, Object schema) {
    return struct(columns, LIBRARY.call(schema, "asStruct"));
  }

  private static StructType struct(StructType columns, Object struct) {
    return new StructType(
        Arrays.stream(columns.fields())
            .map(
                column ->
                    column.metadata().contains(FileColumns.GENERATED_KEY)
                        ? column
                        : withId(column, field(struct, column.name())))
            .toArray(StructField[]::new));
  }

  private static StructField withId(StructField column, Object field) {
    MetadataBuilder metadata = new MetadataBuilder();
    metadata.putLong(FIELD_ID, id(field));
    if (LIBRARY.get(field, "initialDefault") != null) {
      // Its value in rows that were written before the column was added is not null.
      metadata.putString(FileColumns.DEFAULT_VALUE_KEY, "");
    }
    if (id(field) == ROW_INDEX_ID) {
      metadata.putString(FileColumns.GENERATED_KEY, FileColumns.ROW_INDEX);
    }
    DataType type = type(column.dataType(), LIBRARY.call(field, "type"));
    return new StructField(column.name(), type, column.nullable(), metadata.build());
  }

  private static DataType type(DataType type, Object iceberg) {
    if (type instanceof StructType struct) {
      return struct(struct, iceberg);
    } else if (type instanceof ArrayType array) {
      DataType element = type(array.elementType(), LIBRARY.call(iceberg, "elementType"));
      return new ArrayType(element, array.containsNull());
    } else if (type instanceof MapType map) {
      DataType key = type(map.keyType(), LIBRARY.call(iceberg, "keyType"));
      DataType value = type(map.valueType(), LIBRARY.call(iceberg, "valueType"));
      return new MapType(key, value, map.valueContainsNull());
    }
    return type;
  }

  /** Why the GPU cannot read the columns of a schema; empty where nothing is known against it. */
  static String problem(Object schema) {
    for (Object field : (List<?>) LIBRARY.call(schema, "columns")) {
      String name = (String) LIBRARY.call(field, "name");
      if (IcebergFileColumns.has(id(field)) || id(field) == ROW_INDEX_ID) {
        continue;
      } else if (id(field) > LAST_ID) {
        return "the query asks for " + name;
      }
      String type = unsupported(LIBRARY.call(field, "type"));
      if (!type.isEmpty()) {
        return "column " + name + " has Iceberg's type " + type;
      }
    }
    return "";
  }

  private static String unsupported(Object type) {
    String kind = LIBRARY.call(type, "typeId").toString();
    List<?> parts =
        switch (kind) {
          case "STRUCT", "LIST", "MAP" ->
              ((List<?>) LIBRARY.call(type, "fields"))
                  .stream().map(field -> LIBRARY.call(field, "type")).toList();
          default -> List.of();
        };
    return parts.isEmpty()
        ? TYPES.contains(kind) ? "" : type.toString()
        : parts.stream()
            .map(IcebergColumns::unsupported)
            .filter(it -> !it.isEmpty())
            .findFirst()
            .orElse("");
  }

  /** The id of a field of Iceberg's. */
  static int id(Object field) {
    return (int) LIBRARY.call(field, "fieldId");
  }

  private static Object field(Object struct, String name) {
    return ((List<?>) LIBRARY.call(struct, "fields"))
        .stream()
            .filter(it -> LIBRARY.call(it, "name").equals(name))
            .findFirst()
            .<Object>map(it -> it)
            .orElseThrow(() -> new NoSuchElementException("Iceberg's schema has no " + name));
  }
}
