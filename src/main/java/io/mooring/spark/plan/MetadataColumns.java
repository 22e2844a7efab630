package io.mooring.spark.plan;

import io.mooring.catalyst.ScalaLists;
import io.mooring.catalyst.TreeNodes;
import io.mooring.scan.iceberg.IcebergFormat;
import io.mooring.scan.schema.FileColumns;
import io.mooring.scan.split.FilesWithMetadata;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GetStructField;
import org.apache.spark.sql.catalyst.expressions.NamedExpression$;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.datasources.FileFormat$;
import org.apache.spark.sql.execution.datasources.FileIndex;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import scala.runtime.AbstractFunction1;

/**
 * The fields of {@code _metadata} that a query asks for as columns: as partition columns those that
 * are the same in all of a file, and as a data column the index of a row. Not thread-safe.
 */
final class MetadataColumns {
  private static final Set<String> CONSTANT_IN_A_FILE =
      Set.of("file_path", "file_name", "file_size", "file_modification_time");
  private static final String PREFIX = "_metadata_";

  private final ScanPattern pattern;
  private final AttributeReference struct;
  private final Map<String, AttributeReference> columns = new LinkedHashMap<>();
  private @Nullable AttributeReference rowIndex;
  private boolean whole;

  private MetadataColumns(ScanPattern pattern, AttributeReference struct) {
    this.pattern = pattern;
    this.struct = struct;
  }

  /**
   * A pattern over a relation with such columns instead of {@code _metadata}; the same one where
   * the query does not ask for it, or asks for more than they give.
   */
  static ScanPattern replaced(ScanPattern pattern) {
    AttributeReference struct = struct(pattern);
    if (struct == null || IcebergFormat.is(pattern.files().fileFormat())) {
      return pattern;
    }
    return new MetadataColumns(pattern, struct).replaced();
  }

  private static @Nullable AttributeReference struct(ScanPattern pattern) {
    for (AttributeReference column :
        ScalaLists.<AttributeReference>list(pattern.relation().output())) {
      if (column.metadata().contains(ScanEligibility.METADATA_COLUMN_KEY)
          && column.name().equals(FileFormat$.MODULE$.METADATA_NAME())
          && column.dataType() instanceof StructType) {
        return column;
      }
    }
    return null;
  }

  private ScanPattern replaced() {
    // The fields that the query needs are known once all nodes above have been visited.
    LogicalPlan above = above(pattern.root());
    if (whole || clashes()) {
      return pattern;
    }
    LogicalPlan relation = relation();
    ScanPattern found = ScanPattern.find(TreeNodes.replaceEnd(above, pattern.relation(), relation));
    return found == null ? pattern : found;
  }

  /** The nodes with columns instead of fields, still over the same relation. */
  private LogicalPlan above(LogicalPlan node) {
    if (node == pattern.relation()) {
      return node;
    }
    LogicalPlan child = node.children().head();
    LogicalPlan below = above(child);
    LogicalPlan copy = TreeNodes.copy(node, part -> part == child ? below : part);
    return (LogicalPlan)
        copy.mapExpressions(
            new AbstractFunction1<>() {
              @Override
              public Expression apply(Expression expression) {
                return column(expression);
              }
            });
  }

  private Expression column(Expression expression) {
    if (expression instanceof GetStructField field && isStruct(field.child())) {
      String name = ((StructType) struct.dataType()).fieldNames()[field.ordinal()];
      if (CONSTANT_IN_A_FILE.contains(name)) {
        return columns.computeIfAbsent(name, it -> attribute(field, PREFIX + name));
      } else if (name.equals(ParquetFileFormat.ROW_INDEX())) {
        if (rowIndex == null) {
          // Spark's readers want it nullable, as files lack it.
          rowIndex = attribute(field, FileColumns.ROW_INDEX).withNullability(true);
        }
        return rowIndex;
      }
    }
    whole |= isStruct(expression);
    return TreeNodes.mapChildren(expression, this::column);
  }

  private boolean isStruct(Expression expression) {
    return expression instanceof AttributeReference column
        && column.exprId().equals(struct.exprId());
  }

  private AttributeReference attribute(GetStructField field, String name) {
    StructField of = ((StructType) struct.dataType()).fields()[field.ordinal()];
    return new AttributeReference(
        name,
        of.dataType(),
        of.nullable(),
        Metadata.empty(),
        NamedExpression$.MODULE$.newExprId(),
        ScalaLists.empty());
  }

  private boolean clashes() {
    Set<String> names = Set.of(pattern.files().schema().fieldNames());
    return added().stream().anyMatch(it -> names.stream().anyMatch(it.name()::equalsIgnoreCase));
  }

  private List<AttributeReference> added() {
    return Stream.concat(columns.values().stream(), Stream.ofNullable(rowIndex)).toList();
  }

  private LogicalPlan relation() {
    HadoopFsRelation files = pattern.files();
    StructType partition = with(files.partitionSchema(), List.copyOf(columns.values()));
    StructType data = with(files.dataSchema(), Stream.ofNullable(rowIndex).toList());
    FileIndex index =
        columns.isEmpty()
            ? files.location()
            : new FilesWithMetadata(files.location(), List.copyOf(columns.keySet()), partition);
    HadoopFsRelation with =
        new HadoopFsRelation(
            index,
            partition,
            data,
            files.bucketSpec(),
            files.fileFormat(),
            files.options(),
            files.sparkSession());
    List<AttributeReference> output =
        new ArrayList<>(ScalaLists.<AttributeReference>list(pattern.relation().output()));
    output.remove(struct);
    output.addAll(added());
    return TreeNodes.copy(
        (LogicalPlan) pattern.relation(),
        part -> {
          if (part == files) {
            return with;
          }
          return part == pattern.relation().output() ? ScalaLists.seq(output) : part;
        });
  }

  private static StructType with(StructType schema, List<AttributeReference> columns) {
    StructType all = schema;
    for (AttributeReference column : columns) {
      all = all.add(column.name(), column.dataType(), column.nullable());
    }
    return all;
  }
}
