package io.mooring.datasource;

import io.mooring.pushdown.AggregateTranslator;
import io.mooring.pushdown.PartialAggregate;
import io.mooring.pushdown.Pushdown;
import io.mooring.scan.fallback.SparkReaderBuilder;
import io.mooring.scan.schema.ScanColumns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.aggregate.Aggregation;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.SupportsPushDownAggregates;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.connector.read.SupportsPushDownV2Filters;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Takes what Spark pushes down: the columns, filters, and partial aggregates. All predicates prune
 * files; those with a form of ours are evaluated by the scan, the others by Spark.
 */
final class MooringScanBuilder
    implements ScanBuilder,
        SupportsPushDownRequiredColumns,
        SupportsPushDownV2Filters,
        SupportsPushDownAggregates {
  private static final Set<String> SEARCHES = Set.of("STARTS_WITH", "ENDS_WITH", "CONTAINS");

  private final HadoopFsRelation relation;
  private final StructType schema;
  private final boolean pushes;
  private StructType required;
  private Predicate[] predicates = new Predicate[0];
  private Pushdown.PushedFilter filter = Pushdown.PushedFilter.NONE;
  private boolean averagesMatch = true;
  private @Nullable PartialAggregate aggregate;

  /**
   * @param schema every column that may be named
   * @param pushes whether the scan evaluates anything
   */
  MooringScanBuilder(HadoopFsRelation relation, StructType schema, boolean pushes) {
    this.relation = relation;
    this.schema = schema;
    this.pushes = pushes;
    this.required = relation.schema();
  }

  @Override
  public void pruneColumns(StructType requiredSchema) {
    required = structOf(Arrays.stream(requiredSchema.fields()).map(this::withMetadata).toList());
  }

  /**
   * A column with its field id and default, which Spark drops from structs with fewer fields. The
   * values of a partition column are known as a whole.
   */
  private StructField withMetadata(StructField column) {
    boolean whole = List.of(relation.partitionSchema().fieldNames()).contains(column.name());
    return Arrays.stream(schema.fields())
        .filter(it -> it.name().equals(column.name()))
        .findFirst()
        .map(
            it ->
                whole
                    ? it
                    : new StructField(
                        it.name(), column.dataType(), column.nullable(), it.metadata()))
        .orElse(column);
  }

  @Override
  public Predicate[] pushPredicates(Predicate[] pushed) {
    predicates =
        CanonicalPredicates.of(Arrays.stream(pushed).filter(it -> !isUnsayable(it)).toList());
    if (!pushes) {
      return pushed;
    }
    filter = Pushdown.PushedFilter.of(predicates, relation.schema());
    return Arrays.stream(pushed)
        .filter(it -> isUnsayable(it) || filter.residual().contains(CanonicalPredicates.of(it)))
        .toArray(Predicate[]::new);
  }

  /**
   * Whether Spark fails to convert an expression to text, as it does to log and show the predicates
   * that a scan was pushed. It fails for a null of binary type. It also fails for STARTS_WITH,
   * ENDS_WITH or CONTAINS where the text to find is a column with a one-letter name: Spark strips
   * the first and last character, which it takes for quotes.
   */
  private static boolean isUnsayable(Expression expression) {
    if (expression instanceof Literal<?> literal) {
      return literal.value() == null && literal.dataType().equals(DataTypes.BinaryType);
    }
    Expression[] children = expression.children();
    if (Arrays.stream(children).anyMatch(MooringScanBuilder::isUnsayable)) {
      return true;
    }
    return expression instanceof Predicate predicate
        && SEARCHES.contains(predicate.name())
        && children[1].toString().length() < 2;
  }

  @Override
  public Predicate[] pushedPredicates() {
    return predicates.clone();
  }

  @Override
  public boolean supportCompletePushDown(Aggregation aggregation) {
    // Spark asks again after it has split averages into sums and counts, which then look like any
    // others: one refusal counts for good.
    averagesMatch &= new AggregateTranslator(schema).keepsAverages(aggregation);
    return false;
  }

  @Override
  public boolean pushAggregation(Aggregation aggregation) {
    if (pushes && averagesMatch) {
      aggregate = new AggregateTranslator(schema).translate(aggregation);
    }
    return aggregate != null;
  }

  @Override
  public Scan build() {
    Pushdown pushdown =
        new Pushdown(
            filter.condition(), aggregate, aggregate == null ? required : aggregate.schema());
    // The relation's schema spells them as its partition schema does, in either case sensitivity.
    Set<String> partitionColumns = Set.of(relation.partitionSchema().fieldNames());
    List<StructField> data = new ArrayList<>();
    List<StructField> partition = new ArrayList<>();
    for (StructField field : read(pushdown)) {
      (partitionColumns.contains(field.name()) ? partition : data).add(field);
    }
    StructType dataColumns = structOf(data);
    StructType partitions = structOf(partition);
    ScanColumns columns = new ScanColumns(dataColumns, partitions);
    return new MooringScan(
        relation,
        dataColumns,
        partitions,
        List.of(predicates),
        filter.condition() == null ? List.of(predicates) : filter.residual(),
        pushdown.isNone() ? new Pushdown(null, null, columns.all()) : pushdown,
        SparkReaderBuilder.returnsBatches(relation, columns));
  }

  /** The columns that Spark asks for, in its order, and the further ones that the scan needs. */
  private List<StructField> read(Pushdown pushdown) {
    Set<String> missing = pushdown.columns();
    List<StructField> fields = new ArrayList<>();
    if (aggregate == null) {
      fields.addAll(Arrays.asList(required.fields()));
      missing.removeAll(Arrays.asList(required.fieldNames()));
    }
    for (StructField field : relation.schema().fields()) {
      if (missing.contains(field.name())) {
        fields.add(field);
      }
    }
    return fields;
  }

  private static StructType structOf(List<StructField> fields) {
    return new StructType(fields.toArray(StructField[]::new));
  }
}
