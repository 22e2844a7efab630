package io.mooring.testing;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;

/** Files whose lists and maps are laid out as other writers do, or did, with random content. */
public final class ForeignLists {
  /** Each layout, of a column whose name is to stand for %s. */
  public static final List<String> LAYOUTS =
      List.of(
          "optional group %s (LIST) { repeated group list { optional int32 element; } }",
          "optional group %s (LIST) { repeated group bag { optional binary array_element (UTF8); } }",
          "required group %s (LIST) { repeated group list { required double element; } }",
          "optional group %s (LIST) { repeated int32 array; }",
          "required group %s (LIST) { repeated binary element (UTF8); }",
          "optional group %s (LIST) { repeated group item { required int32 x; optional int64 y; } }",
          "optional group %s (LIST) { repeated group array { optional int64 x; } }",
          "optional group %s (LIST) { repeated group %<s_tuple { optional int64 x; } }",
          "optional group %s (LIST) { repeated group array (LIST) { repeated int32 array; } }",
          "optional group %s (LIST) { repeated group list { optional group element (LIST) {"
              + " repeated group list { optional binary element (UTF8); } } } }",
          "repeated int32 %s;",
          "repeated group %s { optional int32 a; repeated double b; }",
          "optional group %s { required int32 a; optional group b { repeated binary s (UTF8); } }",
          "optional group %s (MAP) { repeated group key_value {"
              + " required binary key (UTF8); optional int32 value; } }",
          "required group %s (MAP) { repeated group entries {"
              + " required int32 k; required group v { optional int32 x; repeated int32 y; } } }",
          "optional group %s (MAP_KEY_VALUE) { repeated group map {"
              + " required binary key (UTF8); optional binary value (UTF8); } }",
          "optional group %s (MAP) { repeated group map (MAP_KEY_VALUE) { required int64 key;"
              + " optional group value (LIST) { repeated int32 array; } } }");

  private final Random random;

  public ForeignLists(long seed) {
    this.random = new Random(seed);
  }

  /** Writes columns c0, c1, ... of these layouts, and flat ones around them, in row groups. */
  public void write(Path file, List<String> layouts, int rows) throws IOException {
    StringBuilder columns = new StringBuilder();
    for (int i = 0; i < layouts.size(); i++) {
      columns.append(String.format(layouts.get(i), "c" + i));
    }
    MessageType schema =
        MessageTypeParser.parseMessageType(
            "message m { required int64 id; " + columns + " optional binary last (UTF8); }");
    var factory = new SimpleGroupFactory(schema);
    try (ParquetWriter<Group> writer =
        RowGroupRows.limit(
                ExampleParquetWriter.builder(new org.apache.hadoop.fs.Path(file.toUri()))
                    .withType(schema)
                    .withDictionaryEncoding(random.nextBoolean())
                    .withPageRowCountLimit(rows / 10),
                rows / 3)
            .build()) {
      for (int i = 0; i < rows; i++) {
        Group row = factory.newGroup();
        fill(row);
        writer.write(row);
      }
    }
  }

  private void fill(Group group) {
    GroupType type = group.getType();
    for (int field = 0; field < type.getFieldCount(); field++) {
      for (int left = times(type.getType(field)); left > 0; left--) {
        add(group, field);
      }
    }
  }

  private int times(Type field) {
    return field.isRepetition(Repetition.REQUIRED)
        ? 1
        : random.nextInt(field.isRepetition(Repetition.REPEATED) ? 4 : 2);
  }

  private void add(Group group, int field) {
    Type type = group.getType().getType(field);
    if (!type.isPrimitive()) {
      fill(group.addGroup(field));
      return;
    }
    switch (type.asPrimitiveType().getPrimitiveTypeName()) {
      case INT32 -> group.add(field, random.nextInt());
      case INT64 -> group.add(field, random.nextLong());
      case DOUBLE -> group.add(field, random.nextGaussian());
      default -> group.add(field, "v" + random.nextInt(1000));
    }
  }
}
