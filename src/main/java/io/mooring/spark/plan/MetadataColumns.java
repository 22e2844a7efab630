package io.mooring.spark.plan;

import io.mooring.catalyst.ScalaLists;
import io.mooring.catalyst.TreeNodes;
import io.mooring.scan.delta.DeltaFormat;
import io.mooring.scan.iceberg.IcebergFormat;
import io.mooring.scan.schema.FileColumns;
import io.mooring.scan.split.FilesWithMetadata;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.analysis.CleanupAliases$;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.FileSourceConstantMetadataStructField$;
import org.apache.spark.sql.catalyst.expressions.FileSourceGeneratedMetadataStructField$;
import org.apache.spark.sql.catalyst.expressions.GetStructField;
import org.apache.spark.sql.catalyst.expressions.NamedExpression$;
import org.apache.spark.sql.catalyst.optimizer.CollapseProject$;
import org.apache.spark.sql.catalyst.optimizer.SimplifyExtractValueOps$;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.datasources.FileFormat$;
import org.apache.spark.sql.execution.datasources.FileIndex;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.MetadataBuilder;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.runtime.AbstractFunction1;

/**
 * The fields of {@code _metadata} that a query asks for as columns: as partition columns those that
 * are the same in all of a file, and as data columns the others, such as the index of a row. Not
 * thread-safe.
 */
final class MetadataColumns {
  // Spark calls these constant, but a file may be divided among tasks.
  private static final Set<String> OF_A_SPLIT = Set.of("file_block_start", "file_block_length");
  private static final String PREFIX = "_metadata_";

  private final ScanPattern pattern;
  private final AttributeReference struct;
  // All fields of the struct, by their names.
  private final Map<String, StructField> fields = new HashMap<>();
  // Columns that are the same in all of a file, by the names of the struct's fields.
  private final Map<String, AttributeReference> ofFiles = new LinkedHashMap<>();
  // The others, by the names that Spark's readers have for them.
  private final Map<String, AttributeReference> ofRows = new LinkedHashMap<>();
  private boolean whole;

  private MetadataColumns(ScanPattern pattern, AttributeReference struct) {
    this.pattern = pattern;
    this.struct = struct;
    // The struct's own fields do not say where values come from, once it is pruned.
    ScalaLists.<StructField>list(pattern.files().fileFormat().metadataSchemaFields())
        .forEach(field -> fields.put(field.name(), field));
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
    ScanPattern simple = simplified(pattern);
    return new MetadataColumns(simple, struct).replaced();
  }

  /**
   * A pattern that takes fields from nothing but the relation's struct. Row tracking of Delta Lake
   * puts a struct made of the relation's fields in the place of {@code _metadata}; it is inlined.
   */
  private static ScanPattern simplified(ScanPattern pattern) {
    if (!DeltaFormat.is(pattern.files().fileFormat())) {
      return pattern;
    }
    LogicalPlan collapsed = CollapseProject$.MODULE$.apply(pattern.root(), true);
    LogicalPlan simple = SimplifyExtractValueOps$.MODULE$.apply(collapsed);
    // Inlined fields have kept the names that they had in the other struct.
    ScanPattern found = ScanPattern.find(CleanupAliases$.MODULE$.apply(simple));
    return found == null ? pattern : found;
  }

  /** Null also where files have a column of that name: a schema may have kept Spark's mark. */
  private static @Nullable AttributeReference struct(ScanPattern pattern) {
    if (ScanEligibility.isInFiles(pattern, FileFormat$.MODULE$.METADATA_NAME())) {
      return null;
    }
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
    if (whole || added().isEmpty() || !pattern.choosesColumns() || clashes()) {
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
      String name = ((StructType) field.child().dataType()).fieldNames()[field.ordinal()];
      AttributeReference column = fields.containsKey(name) ? column(fields.get(name)) : null;
      if (column != null) {
        return column;
      }
    }
    whole |= isStruct(expression);
    return TreeNodes.mapChildren(expression, this::column);
  }

  /** Null for a field that no column can have. */
  private @Nullable AttributeReference column(StructField field) {
    if (FileSourceConstantMetadataStructField$.MODULE$.isValid(field.dataType(), field.metadata())
        && !OF_A_SPLIT.contains(field.name())) {
      return ofFiles.computeIfAbsent(
          field.name(),
          name -> attribute(PREFIX + name, field.dataType(), field.nullable(), Metadata.empty()));
    }
    Option<String> name =
        FileSourceGeneratedMetadataStructField$.MODULE$.getInternalNameIfValid(
            field.dataType(), field.metadata());
    // Spark's readers want all of these nullable, as files may lack some.
    return name.isEmpty()
        ? null
        : ofRows.computeIfAbsent(
            name.get(), it -> attribute(it, field.dataType(), true, generated(it)));
  }

  private boolean isStruct(Expression expression) {
    return expression instanceof AttributeReference column
        && column.exprId().equals(struct.exprId());
  }

  private static Metadata generated(String name) {
    return new MetadataBuilder().putString(FileColumns.GENERATED_KEY, name).build();
  }

  private static AttributeReference attribute(
      String name, DataType type, boolean nullable, Metadata metadata) {
    return new AttributeReference(
        name, type, nullable, metadata, NamedExpression$.MODULE$.newExprId(), ScalaLists.empty());
  }

  private boolean clashes() {
    Set<String> names = Set.of(pattern.files().schema().fieldNames());
    return added().stream().anyMatch(it -> names.stream().anyMatch(it.name()::equalsIgnoreCase));
  }

  private List<AttributeReference> added() {
    return Stream.concat(ofFiles.values().stream(), ofRows.values().stream()).toList();
  }

  private LogicalPlan relation() {
    HadoopFsRelation files = pattern.files();
    StructType partition = with(files.partitionSchema(), ofFiles);
    StructType data = with(files.dataSchema(), ofRows);
    FileIndex index =
        ofFiles.isEmpty()
            ? files.location()
            : new FilesWithMetadata(
                files.location(), files.fileFormat(), List.copyOf(ofFiles.keySet()), partition);
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

  private static StructType with(StructType schema, Map<String, AttributeReference> columns) {
    StructType all = schema;
    for (AttributeReference column : columns.values()) {
      all = all.add(column.name(), column.dataType(), column.nullable(), column.metadata());
    }
    return all;
  }
}
