package io.mooring.testing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.CollectionConverters;

/** Random types of structs, arrays and maps in each other, and rows of them. Not thread-safe. */
public final class RandomNested {
  private static final int NULL_ONE_IN = 5;
  private static final List<DataType> KEYS =
      List.of(DataTypes.StringType, DataTypes.IntegerType, DataTypes.LongType, DataTypes.DateType);

  private final Random random;
  private final RandomTables leaves;

  public RandomNested(long seed) {
    this.random = new Random(seed);
    this.leaves = new RandomTables(seed);
  }

  /** Nested columns c0, c1, ... between two flat ones, id and last. */
  public StructType schema(int columns, int depth) {
    StructType schema = new StructType().add("id", DataTypes.LongType);
    for (int i = 0; i < columns; i++) {
      schema = schema.add("c" + i, nested(depth));
    }
    return schema.add("last", DataTypes.StringType);
  }

  private DataType nested(int depth) {
    return switch (random.nextInt(3)) {
      case 0 -> DataTypes.createArrayType(type(depth - 1));
      case 1 -> DataTypes.createMapType(KEYS.get(random.nextInt(KEYS.size())), type(depth - 1));
      default -> struct(depth);
    };
  }

  private StructType struct(int depth) {
    StructType struct = new StructType();
    int fields = 1 + random.nextInt(3);
    for (int i = 0; i < fields; i++) {
      struct = struct.add("f" + i, type(depth - 1));
    }
    return struct;
  }

  private DataType type(int depth) {
    if (depth > 0 && random.nextInt(3) > 0) {
      return nested(depth);
    }
    StructField[] all = RandomTables.ALL_TYPES.fields();
    return all[random.nextInt(all.length)].dataType();
  }

  /** Rows in which values of every depth may be null, and arrays and maps empty. */
  public List<Row> rows(StructType schema, int count) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(row(schema));
    }
    return rows;
  }

  private Row row(StructType type) {
    List<@Nullable Object> values = new ArrayList<>();
    for (StructField field : type.fields()) {
      values.add(orNull(field.dataType()));
    }
    return RowFactory.create(values.toArray());
  }

  private @Nullable Object orNull(DataType type) {
    return random.nextInt(NULL_ONE_IN) == 0 ? null : value(type);
  }

  private Object value(DataType type) {
    if (type instanceof StructType struct) {
      return row(struct);
    } else if (type instanceof ArrayType array) {
      List<@Nullable Object> elements = new ArrayList<>();
      for (int left = random.nextInt(5); left > 0; left--) {
        elements.add(orNull(array.elementType()));
      }
      return CollectionConverters.asScala(elements).toSeq();
    } else if (type instanceof MapType map) {
      Map<Object, @Nullable Object> entries = new LinkedHashMap<>();
      for (int left = random.nextInt(4); left > 0; left--) {
        entries.put(value(map.keyType()), orNull(map.valueType()));
      }
      return CollectionConverters.asScala(entries);
    }
    return leaves.value(type);
  }
}
