package io.mooring.scan.schema;

import io.mooring.columnar.ColumnShape;
import io.mooring.columnar.TypeSupport;
import io.mooring.columnar.WideningCasts;
import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.footer.ProjectedColumn;
import io.mooring.parquet.footer.UnreadableOnGpuException;
import io.mooring.session.ReadSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;
import org.apache.parquet.schema.Types;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Finds a type of the table in a column of a file. Whichever way the writer laid out lists and
 * maps, they are decoded by a schema of one layout with the same definition and repetition levels,
 * and fields of structs in the table's order.
 */
final class ColumnResolver {
  private final Footer footer;
  private final ReadSettings settings;
  private final List<ColumnPath> leaves = new ArrayList<>();

  /** A column to decode, and the shape of its values. */
  record Resolved(ProjectedColumn column, ColumnShape shape) {}

  /** A node of a column: the type by which it is decoded, and the shape of its values. */
  private record Part(Type type, ColumnShape shape) {}

  private ColumnResolver(Footer footer, ReadSettings settings) {
    this.footer = footer;
    this.settings = settings;
  }

  /**
   * Resolves a top-level column.
   *
   * @throws UnreadableOnGpuException when it is Spark's to read, with the reason
   */
  static Resolved resolve(Footer footer, Type column, DataType wanted, ReadSettings settings)
      throws UnreadableOnGpuException {
    if (column.getName().indexOf('.') >= 0) {
      throw new UnreadableOnGpuException("column " + column.getName() + " has a dot in its name");
    }
    ColumnResolver resolver = new ColumnResolver(footer, settings);
    Part part = resolver.field(FileNode.top(column), wanted, column.getName());
    // Nested columns are never decoded by name, and so never by the file's own schema.
    boolean asWritten = column.isPrimitive() && part.type().equals(column);
    ProjectedColumn read =
        new ProjectedColumn(part.type(), List.copyOf(resolver.leaves), asWritten);
    return new Resolved(read, part.shape());
  }

  /** Resolves a column or a field of a struct. A repeated field outside a list is a list itself. */
  private Part field(FileNode node, DataType wanted, String name) throws UnreadableOnGpuException {
    if (!node.type().isRepetition(Repetition.REPEATED)) {
      return part(node, wanted, node.type().getRepetition(), name);
    } else if (!(wanted instanceof ArrayType array) || ListLayout.isAnnotated(node.type())) {
      throw node.misfit(wanted);
    } else {
      Part element = part(node, array.elementType(), Repetition.REQUIRED, ListLayout.ELEMENT);
      return list(Repetition.REQUIRED, name, element.type(), array, List.of(element.shape()));
    }
  }

  private Part part(FileNode node, DataType wanted, Repetition repetition, String name)
      throws UnreadableOnGpuException {
    if (wanted instanceof StructType struct) {
      return struct(node, struct, repetition, name);
    } else if (wanted instanceof ArrayType array) {
      FileNode element = ListLayout.element(node, array);
      Part part = part(element, array.elementType(), element.repetition(), ListLayout.ELEMENT);
      return list(repetition, name, part.type(), array, List.of(part.shape()));
    } else if (wanted instanceof MapType map) {
      return map(node, map, repetition, name);
    }
    return leaf(node, wanted, repetition, name);
  }

  private static Part list(
      Repetition repetition, String name, Type element, DataType type, List<ColumnShape> parts) {
    return new Part(
        ListLayout.standard(repetition, name, element),
        new ColumnShape(type, new ArrayList<@Nullable ColumnShape>(parts)));
  }

  private Part map(FileNode node, MapType wanted, Repetition repetition, String name)
      throws UnreadableOnGpuException {
    FileNode entries = ListLayout.entries(node, wanted);
    FileNode key = entries.child(0);
    FileNode value = entries.child(1);
    Part keys = part(key, wanted.keyType(), key.repetition(), "key");
    Part values = part(value, wanted.valueType(), value.repetition(), "value");
    GroupType entry =
        Types.requiredGroup().addFields(keys.type(), values.type()).named(ListLayout.ELEMENT);
    return list(repetition, name, entry, wanted, List.of(keys.shape(), values.shape()));
  }

  private Part struct(FileNode node, StructType wanted, Repetition repetition, String name)
      throws UnreadableOnGpuException {
    if (node.type().isPrimitive() || node.type().getLogicalTypeAnnotation() != null) {
      throw node.misfit(wanted);
    }
    FileFields fields = new FileFields(node.type().asGroupType(), settings);
    List<Type> types = new ArrayList<>();
    List<@Nullable ColumnShape> parts = new ArrayList<>();
    for (StructField field : wanted.fields()) {
      Type found = fields.find(field);
      if (found == null) {
        checkMayBeMissing(node, field);
        parts.add(null);
      } else {
        // By ordinal, so that the schemas of two files differ where they lack different fields.
        Part part = field(node.child(found), field.dataType(), "field" + parts.size());
        types.add(part.type());
        parts.add(part.shape());
      }
    }
    if (types.isEmpty()) {
      throw new UnreadableOnGpuException(
          "struct " + node.path().toDotString() + " has none of the fields that are read");
    }
    return new Part(new GroupType(repetition, name, types), new ColumnShape(wanted, parts));
  }

  private static void checkMayBeMissing(FileNode node, StructField field)
      throws UnreadableOnGpuException {
    if (field.metadata().contains(FileColumns.DEFAULT_VALUE_KEY)) {
      throw new UnreadableOnGpuException("field " + field.name() + " has a default value");
    }
    if (!field.nullable()) {
      throw new UnreadableOnGpuException(
          "struct " + node.path().toDotString() + " lacks a field that must not be null");
    }
  }

  private Part leaf(FileNode node, DataType wanted, Repetition repetition, String name)
      throws UnreadableOnGpuException {
    // Casts are for columns as a whole.
    if (!node.type().isPrimitive()
        || (!node.isFlat() && WideningCasts.casts(node.type().asPrimitiveType(), wanted))) {
      throw node.misfit(wanted);
    }
    PrimitiveType type = node.type().asPrimitiveType();
    if (!settings.castTypes() && !TypeSupport.isDecodedAsWritten(type, wanted)) {
      throw node.misfit(wanted);
    }
    check(node.path(), type, wanted);
    leaves.add(node.path());
    LogicalTypeAnnotation annotation = TypeSupport.decodedAs(type, wanted);
    if (node.isFlat() && Objects.equals(annotation, type.getLogicalTypeAnnotation())) {
      return new Part(type, ColumnShape.flat(wanted));
    }
    Type decoded =
        Types.primitive(type.getPrimitiveTypeName(), repetition)
            .length(type.getTypeLength())
            .as(annotation)
            .named(name);
    return new Part(decoded, ColumnShape.flat(wanted));
  }

  private void check(ColumnPath path, PrimitiveType type, DataType wanted)
      throws UnreadableOnGpuException {
    String problem = TypeSupport.problem(path.toDotString(), type, wanted, settings.widenTypes());
    if (problem == null) {
      problem = new RebaseCheck(footer, settings).problem(path, type, wanted);
    }
    if (problem != null) {
      throw new UnreadableOnGpuException(problem);
    }
  }
}
