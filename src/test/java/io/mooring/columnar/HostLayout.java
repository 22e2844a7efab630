package io.mooring.columnar;

import io.mooring.columnar.DownloadLayout.PlacedColumn;
import io.mooring.memory.HostBuffer;
import io.mooring.memory.HostMemory;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Lays values out in one buffer as a download leaves them: no buffer for a part without bytes, no
 * validity without nulls, a row in each field of a null struct.
 */
final class HostLayout {
  private static final int ALIGNMENT = 64;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  /** Lays out one column; integers, longs, strings and what is made of them. */
  PlacedColumn place(List<@Nullable Object> values, DataType type) {
    long validity = validity(values);
    int nulls = (int) values.stream().filter(Objects::isNull).count();
    if (type instanceof StructType struct) {
      return new PlacedColumn(-1, validity, -1, nulls, 0, fields(values, struct));
    } else if (type instanceof ArrayType array) {
      List<List<@Nullable Object>> lists = values.stream().map(HostLayout::elements).toList();
      List<PlacedColumn> child = List.of(place(joined(lists), array.elementType()));
      return new PlacedColumn(-1, validity, offsets(sizes(lists)), nulls, 0, child);
    } else if (type instanceof MapType map) {
      List<List<@Nullable Object>> keys = values.stream().map(it -> entries(it, true)).toList();
      List<List<@Nullable Object>> of = values.stream().map(it -> entries(it, false)).toList();
      List<PlacedColumn> children =
          List.of(place(joined(keys), map.keyType()), place(joined(of), map.valueType()));
      return new PlacedColumn(-1, validity, offsets(sizes(keys)), nulls, 0, children);
    }
    return type.typeName().equals("string")
        ? strings(values, validity, nulls)
        : numbers(values, type.defaultSize(), validity, nulls);
  }

  SharedBuffer buffer() {
    HostBuffer host = HostMemory.allocate(Math.max(bytes.size(), ALIGNMENT));
    HostMemory.copyIn(bytes.toByteArray(), bytes.size(), host.address());
    return new SharedBuffer(host);
  }

  private List<PlacedColumn> fields(List<@Nullable Object> values, StructType struct) {
    List<PlacedColumn> fields = new ArrayList<>();
    for (int i = 0; i < struct.length(); i++) {
      List<@Nullable Object> field = new ArrayList<>();
      for (Object value : values) {
        field.add(value == null ? null : ((Row) value).get(i));
      }
      fields.add(place(field, struct.fields()[i].dataType()));
    }
    return fields;
  }

  private static List<@Nullable Object> elements(@Nullable Object value) {
    return value == null
        ? List.of()
        : new ArrayList<@Nullable Object>(
            CollectionConverters.asJava((scala.collection.Seq<?>) value));
  }

  private static List<@Nullable Object> entries(@Nullable Object value, boolean keys) {
    List<@Nullable Object> entries = new ArrayList<>();
    if (value != null) {
      CollectionConverters.asJava((scala.collection.Map<?, ?>) value)
          .forEach((key, of) -> entries.add(keys ? key : of));
    }
    return entries;
  }

  private static List<@Nullable Object> joined(List<List<@Nullable Object>> lists) {
    List<@Nullable Object> all = new ArrayList<>();
    lists.forEach(all::addAll);
    return all;
  }

  private static List<Integer> sizes(List<List<@Nullable Object>> lists) {
    return lists.stream().map(List::size).toList();
  }

  private PlacedColumn strings(List<@Nullable Object> values, long validity, int nulls) {
    List<Integer> sizes = new ArrayList<>();
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    for (Object value : values) {
      byte[] utf8 = value == null ? new byte[0] : ((String) value).getBytes(StandardCharsets.UTF_8);
      text.writeBytes(utf8);
      sizes.add(utf8.length);
    }
    return new PlacedColumn(
        part(text.toByteArray()), validity, offsets(sizes), nulls, 0, List.of());
  }

  private PlacedColumn numbers(List<@Nullable Object> values, int width, long validity, int nulls) {
    ByteBuffer data = littleEndian(width * values.size());
    for (Object value : values) {
      // What stands for a null means nothing.
      long number = value == null ? -77 : ((Number) value).longValue();
      if (width == Long.BYTES) {
        data.putLong(number);
      } else {
        data.putInt((int) number);
      }
    }
    return new PlacedColumn(part(data.array()), validity, -1, nulls, width, List.of());
  }

  private long validity(List<@Nullable Object> values) {
    if (values.stream().noneMatch(Objects::isNull)) {
      return -1;
    }
    byte[] bits = new byte[(values.size() + 7) / 8];
    for (int i = 0; i < values.size(); i++) {
      bits[i / 8] |= (byte) (values.get(i) == null ? 0 : 1 << (i % 8));
    }
    return part(bits);
  }

  private long offsets(List<Integer> sizes) {
    ByteBuffer offsets = littleEndian(sizes.isEmpty() ? 0 : Integer.BYTES * (sizes.size() + 1));
    int end = 0;
    for (int i = 0; i < sizes.size(); i++) {
      offsets.putInt(Integer.BYTES * i, end);
      end += sizes.get(i);
      offsets.putInt(Integer.BYTES * (i + 1), end);
    }
    return part(offsets.array());
  }

  private static ByteBuffer littleEndian(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }

  private long part(byte[] content) {
    if (content.length == 0) {
      return -1;
    }
    long offset = bytes.size();
    bytes.writeBytes(content);
    bytes.writeBytes(new byte[(ALIGNMENT - content.length % ALIGNMENT) % ALIGNMENT]);
    return offset;
  }
}
