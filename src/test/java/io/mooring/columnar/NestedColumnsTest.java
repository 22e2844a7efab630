package io.mooring.columnar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.columnar.DownloadLayout.PlacedColumn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import scala.jdk.javaapi.CollectionConverters;

/** Nested columns over host memory: Spark gets the values that were laid out. */
class NestedColumnsTest {
  private static final List<DataType> LEAVES =
      List.of(DataTypes.IntegerType, DataTypes.LongType, DataTypes.StringType);

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  private DataType type(int depth) {
    return switch (depth == 0 ? 3 : random.nextInt(4)) {
      case 0 -> DataTypes.createArrayType(type(depth - 1));
      case 1 -> DataTypes.createMapType(LEAVES.get(random.nextInt(3)), type(depth - 1));
      case 2 -> new StructType().add("a", type(depth - 1)).add("b", type(depth - 1));
      default -> LEAVES.get(random.nextInt(3));
    };
  }

  private @Nullable Object value(DataType type) {
    if (random.nextInt(5) == 0) {
      return null;
    } else if (type instanceof StructType struct) {
      return RowFactory.create(value(struct.fields()[0].dataType()), value(struct.apply(1)));
    } else if (type instanceof ArrayType array) {
      List<@Nullable Object> elements = new ArrayList<>();
      IntStream.range(0, random.nextInt(4)).forEach(i -> elements.add(value(array.elementType())));
      return CollectionConverters.asScala(elements).toSeq();
    } else if (type instanceof MapType map) {
      Map<Object, @Nullable Object> entries = new LinkedHashMap<>();
      for (int left = random.nextInt(4); left > 0; left--) {
        entries.put(leaf(map.keyType()), value(map.valueType()));
      }
      return CollectionConverters.asScala(entries);
    }
    return leaf(type);
  }

  private @Nullable Object value(org.apache.spark.sql.types.StructField field) {
    return value(field.dataType());
  }

  private Object leaf(DataType type) {
    return switch (type.typeName()) {
      case "integer" -> random.nextInt();
      case "long" -> random.nextLong();
      default -> "\u00e9".repeat(random.nextInt(5)) + random.nextInt(10);
    };
  }

  private static ColumnShape whole(DataType type) {
    if (type instanceof StructType struct) {
      return shape(type, Arrays.stream(struct.fields()).map(it -> whole(it.dataType())).toList());
    } else if (type instanceof ArrayType array) {
      return shape(type, List.of(whole(array.elementType())));
    } else if (type instanceof MapType map) {
      return shape(type, List.of(whole(map.keyType()), whole(map.valueType())));
    }
    return ColumnShape.flat(type);
  }

  private static ColumnShape shape(DataType type, List<@Nullable ColumnShape> parts) {
    return new ColumnShape(type, parts);
  }

  private static List<@Nullable Object> read(ColumnVector column, int rows) {
    var toScala = CatalystTypeConverters.createToScalaConverter(column.dataType());
    List<@Nullable Object> values = new ArrayList<>();
    ColumnarBatch batch = new ColumnarBatch(new ColumnVector[] {column}, rows);
    for (int i = 0; i < rows; i++) {
      InternalRow row = batch.getRow(i).copy();
      values.add(row.isNullAt(0) ? null : toScala.apply(row.get(0, column.dataType())));
    }
    return values;
  }

  @RepeatedTest(20)
  void everyValueIsTheOneLaidOut() {
    DataType type = type(4);
    List<@Nullable Object> values = new ArrayList<>();
    IntStream.range(0, random.nextInt(200)).forEach(i -> values.add(value(type)));
    HostLayout layout = new HostLayout();
    PlacedColumn placed = layout.place(values, type);
    SharedBuffer buffer = layout.buffer();
    try (HostColumn column = HostColumns.of(whole(type), buffer, placed)) {
      buffer.release();
      assertThat(read(column, values.size())).as("seed %s, %s", seed, type).isEqualTo(values);
      assertStretch(column, values);
      assertSelection(column, values);
    }
    assertThatThrownBy(buffer::address).isInstanceOf(IllegalStateException.class);
  }

  private void assertStretch(ColumnVector column, List<@Nullable Object> values) {
    int first = random.nextInt(values.size() + 1);
    int rows = random.nextInt(values.size() - first + 1);
    assertThat(read(RowMappedColumnVector.slice(column, first, rows, false), rows))
        .as("seed %s", seed)
        .isEqualTo(values.subList(first, first + rows));
  }

  private void assertSelection(ColumnVector column, List<@Nullable Object> values) {
    int[] rows = IntStream.range(0, values.size()).filter(i -> random.nextBoolean()).toArray();
    assertThat(read(RowMappedColumnVector.select(column, rows), rows.length))
        .as("seed %s", seed)
        .isEqualTo(Arrays.stream(rows).mapToObj(values::get).toList());
  }

  @Test
  void aFieldThatIsNotThereIsNullInEveryRow() {
    StructType there = new StructType().add("b", DataTypes.IntegerType);
    DataType wide = new StructType().add("a", "array<int>").add("b", "int").add("c", "string");
    List<@Nullable Object> values = new ArrayList<>();
    IntStream.range(0, 9).forEach(i -> values.add(i % 3 == 0 ? null : RowFactory.create(i)));
    HostLayout layout = new HostLayout();
    PlacedColumn placed = layout.place(values, there);
    List<@Nullable ColumnShape> parts = new ArrayList<>();
    parts.add(null);
    parts.add(ColumnShape.flat(DataTypes.IntegerType));
    parts.add(null);
    SharedBuffer buffer = layout.buffer();
    try (HostColumn column = HostColumns.of(shape(wide, parts), buffer, placed)) {
      List<@Nullable Object> read = read(column, 9);
      for (int i = 0; i < 9; i++) {
        Row expected = i % 3 == 0 ? null : RowFactory.create(null, i, null);
        assertThat(read.get(i)).isEqualTo(expected);
      }
    }
    buffer.release();
  }
}
