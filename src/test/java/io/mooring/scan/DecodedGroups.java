package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.parquet.files.UnitGroups;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.scan.plan.FilePlan;
import io.mooring.scan.plan.ScanUnit;
import io.mooring.testing.ScanResults;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.parquet.example.data.Group;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The rows that a decoder has to make of planned units: parquet-mr reads them by the schema that
 * the decoder is given, in its one layout of lists and maps.
 */
record DecodedGroups(StructType schema) {

  /** The rows as {@link ScanResults#rows} has them. */
  List<String> rows(List<FilePlan> plans) throws IOException {
    List<String> rows = new ArrayList<>();
    for (FilePlan plan : plans) {
      for (ReadUnit unit : plan.units()) {
        add(unit, plan, rows);
      }
    }
    rows.sort(null);
    return rows;
  }

  /** The same of units that may be of several files. */
  List<String> rowsOfUnits(List<ScanUnit> units) throws IOException {
    List<String> rows = new ArrayList<>();
    for (ScanUnit unit : units) {
      add(unit.unit(), unit.plan(), rows);
    }
    rows.sort(null);
    return rows;
  }

  private void add(ReadUnit unit, FilePlan plan, List<String> rows) throws IOException {
    for (Group group : UnitGroups.read(unit)) {
      rows.add(ScanResults.text(row(group, plan.columns().decodedAt())));
    }
  }

  private Row row(Group group, int[] decodedAt) {
    Object[] values = new Object[schema.length()];
    for (int i = 0; i < values.length; i++) {
      values[i] = decodedAt[i] < 0 ? null : value(group, decodedAt[i], type(schema, i));
    }
    return RowFactory.create(values);
  }

  private static DataType type(StructType struct, int field) {
    return struct.fields()[field].dataType();
  }

  private static @Nullable Object value(Group group, int field, DataType type) {
    if (group.getFieldRepetitionCount(field) == 0) {
      return null;
    } else if (type instanceof StructType struct) {
      return struct(group.getGroup(field, 0), struct);
    } else if (type instanceof ArrayType array) {
      return CollectionConverters.asScala(elements(group.getGroup(field, 0), array.elementType()))
          .toSeq();
    } else if (type instanceof MapType map) {
      return CollectionConverters.asScala(entries(group.getGroup(field, 0), map));
    }
    return switch (type.typeName()) {
      case "integer" -> group.getInteger(field, 0);
      case "long" -> group.getLong(field, 0);
      case "double" -> group.getDouble(field, 0);
      default -> group.getString(field, 0);
    };
  }

  private static Row struct(Group group, StructType type) {
    Object[] values = new Object[type.length()];
    for (int i = 0; i < values.length; i++) {
      String name = "field" + i;
      boolean there = group.getType().containsField(name);
      values[i] = there ? value(group, group.getType().getFieldIndex(name), type(type, i)) : null;
    }
    return RowFactory.create(values);
  }

  private static List<@Nullable Object> elements(Group list, DataType type) {
    List<@Nullable Object> elements = new ArrayList<>();
    for (int i = 0; i < list.getFieldRepetitionCount(0); i++) {
      elements.add(value(list.getGroup(0, i), 0, type));
    }
    return elements;
  }

  private static Map<Object, @Nullable Object> entries(Group list, MapType type) {
    Map<Object, @Nullable Object> entries = new LinkedHashMap<>();
    for (int i = 0; i < list.getFieldRepetitionCount(0); i++) {
      Group entry = list.getGroup(0, i).getGroup(0, 0);
      assertThat(entry.getType().getFieldCount()).isEqualTo(2);
      entries.put(value(entry, 0, type.keyType()), value(entry, 1, type.valueType()));
    }
    return entries;
  }
}
