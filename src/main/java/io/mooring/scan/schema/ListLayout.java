package io.mooring.scan.schema;

import io.mooring.parquet.footer.UnreadableOnGpuException;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.ListLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.MapKeyValueTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.MapLogicalTypeAnnotation;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;
import org.apache.parquet.schema.Types;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructType;

/**
 * The layouts of lists and maps in files, detected by Spark's rules: the backward-compatibility
 * rules of Parquet's LogicalTypes.md.
 */
final class ListLayout {
  static final String ELEMENT = "element";

  private ListLayout() {}

  /** Whether a type is a list or a map, and not the element of one. */
  static boolean isAnnotated(Type type) {
    LogicalTypeAnnotation logical = type.getLogicalTypeAnnotation();
    return logical instanceof ListLogicalTypeAnnotation || isMap(logical);
  }

  private static boolean isMap(LogicalTypeAnnotation logical) {
    return logical instanceof MapLogicalTypeAnnotation
        || logical instanceof MapKeyValueTypeAnnotation;
  }

  /** A list of three levels, by which the levels of every other layout can be read too. */
  static GroupType standard(Repetition repetition, String name, Type element) {
    return Types.buildGroup(repetition)
        .as(LogicalTypeAnnotation.listType())
        .addField(Types.repeatedGroup().addField(element).named("list"))
        .named(name);
  }

  /**
   * The element of a list that is annotated as one.
   *
   * @throws UnreadableOnGpuException for any other node
   */
  static FileNode element(FileNode list, ArrayType wanted) throws UnreadableOnGpuException {
    LogicalTypeAnnotation logical = list.type().getLogicalTypeAnnotation();
    FileNode repeated = repeated(list, logical instanceof ListLogicalTypeAnnotation, wanted);
    if (isElement(repeated.type(), list.type().getName())) {
      checkStaysElement(list, repeated.type(), wanted);
      return repeated.asElement();
    }
    return notRepeated(repeated.child(0), wanted.elementType());
  }

  /** A list of two levels has no group around its elements. */
  private static boolean isElement(Type repeated, String list) {
    return repeated.isPrimitive()
        || repeated.asGroupType().getFieldCount() > 1
        || isNamedElement(repeated, list);
  }

  private static boolean isNamedElement(Type repeated, String list) {
    return repeated.getName().equals("array") || repeated.getName().equals(list + "_tuple");
  }

  /** Spark detects the layout after it has pruned fields, and takes a single field for a group. */
  private static void checkStaysElement(FileNode list, Type repeated, ArrayType wanted)
      throws UnreadableOnGpuException {
    if (!repeated.isPrimitive()
        && !isNamedElement(repeated, list.type().getName())
        && wanted.elementType() instanceof StructType struct
        && struct.length() == 1) {
      throw list.misfit(wanted);
    }
  }

  /**
   * The entries of a map: a group of a key and a value.
   *
   * @throws UnreadableOnGpuException for any other node
   */
  static FileNode entries(FileNode map, MapType wanted) throws UnreadableOnGpuException {
    FileNode entries = repeated(map, isMap(map.type().getLogicalTypeAnnotation()), wanted);
    if (entries.type().isPrimitive() || entries.type().asGroupType().getFieldCount() != 2) {
      throw map.misfit(wanted);
    }
    notRepeated(entries.child(0), wanted.keyType());
    notRepeated(entries.child(1), wanted.valueType());
    return entries;
  }

  private static FileNode repeated(FileNode node, boolean annotated, DataType wanted)
      throws UnreadableOnGpuException {
    if (!annotated || node.type().isPrimitive() || node.type().asGroupType().getFieldCount() != 1) {
      throw node.misfit(wanted);
    }
    FileNode only = node.child(0);
    if (!only.type().isRepetition(Repetition.REPEATED)) {
      throw node.misfit(wanted);
    }
    return only;
  }

  private static FileNode notRepeated(FileNode node, DataType wanted)
      throws UnreadableOnGpuException {
    if (node.type().isRepetition(Repetition.REPEATED)) {
      throw node.misfit(wanted);
    }
    return node;
  }
}
