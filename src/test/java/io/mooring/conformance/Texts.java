package io.mooring.conformance;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.CollectionConverters;

/** Values as exact texts: floats by their digits, but for the many kinds of NaN. */
final class Texts {
  private Texts() {}

  /** The text of a value as users see it. */
  static String of(@Nullable Object value) {
    if (value instanceof Row row) {
      List<String> fields = new ArrayList<>();
      for (int i = 0; i < row.length(); i++) {
        fields.add(of(row.get(i)));
      }
      return fields.toString();
    } else if (value instanceof scala.collection.Map<?, ?> map) {
      Map<String, String> entries = new TreeMap<>();
      CollectionConverters.asJava(map).forEach((k, v) -> entries.put(of(k), of(v)));
      return entries.toString();
    } else if (value instanceof scala.collection.Seq<?> elements) {
      List<String> texts = new ArrayList<>();
      CollectionConverters.asJava(elements).forEach(element -> texts.add(of(element)));
      return texts.toString();
    } else if (value instanceof byte[] bytes) {
      return HexFormat.of().formatHex(bytes);
    }
    return String.valueOf(value);
  }

  /** The text of a row as Spark's operators pass it on. */
  static String of(SpecializedGetters row, StructType type) {
    List<String> fields = new ArrayList<>();
    for (StructField field : type.fields()) {
      fields.add(at(row, fields.size(), field.dataType()));
    }
    return fields.toString();
  }

  private static String at(SpecializedGetters values, int i, DataType type) {
    if (values.isNullAt(i)) {
      return "null";
    } else if (type instanceof StructType struct) {
      return of(values.getStruct(i, struct.length()), struct);
    } else if (type instanceof ArrayType array) {
      return elements(values.getArray(i), array.elementType()).toString();
    } else if (type instanceof MapType map) {
      return entries(values.getMap(i), map).toString();
    }
    Object value = values.get(i, type);
    // Bytes that are no UTF-8 are to be equal, too.
    return value instanceof UTF8String text
        ? new String(text.getBytes(), StandardCharsets.ISO_8859_1)
        : of(value);
  }

  private static List<String> elements(ArrayData array, DataType type) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < array.numElements(); i++) {
      texts.add(at(array, i, type));
    }
    return texts;
  }

  private static List<String> entries(MapData map, MapType type) {
    List<String> keys = elements(map.keyArray(), type.keyType());
    List<String> values = elements(map.valueArray(), type.valueType());
    List<String> entries = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      entries.add(keys.get(i) + "=" + values.get(i));
    }
    entries.sort(null);
    return entries;
  }
}
