package io.mooring.scan;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.connector.read.SupportsPushDownV2Filters;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Takes what Spark pushes down: the columns, and predicates that prune files. */
final class MooringScanBuilder
    implements ScanBuilder, SupportsPushDownRequiredColumns, SupportsPushDownV2Filters {
  private final HadoopFsRelation relation;
  private StructType required;
  private Predicate[] predicates = new Predicate[0];

  MooringScanBuilder(HadoopFsRelation relation) {
    this.relation = relation;
    this.required = relation.schema();
  }

  @Override
  public void pruneColumns(StructType requiredSchema) {
    required = requiredSchema;
  }

  @Override
  public Predicate[] pushPredicates(Predicate[] pushed) {
    predicates = pushed.clone();
    // Files and row groups are pruned by them; Spark still evaluates them on every row.
    return pushed;
  }

  @Override
  public Predicate[] pushedPredicates() {
    return predicates.clone();
  }

  @Override
  public Scan build() {
    // The relation's schema spells them as its partition schema does, in either case sensitivity.
    Set<String> partitionColumns = Set.of(relation.partitionSchema().fieldNames());
    List<StructField> data = new ArrayList<>();
    List<StructField> partition = new ArrayList<>();
    for (StructField field : required.fields()) {
      (partitionColumns.contains(field.name()) ? partition : data).add(field);
    }
    return new MooringScan(relation, structOf(data), structOf(partition), List.of(predicates));
  }

  private static StructType structOf(List<StructField> fields) {
    return new StructType(fields.toArray(StructField[]::new));
  }
}
