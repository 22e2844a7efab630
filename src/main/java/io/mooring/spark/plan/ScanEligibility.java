package io.mooring.spark.plan;

import io.mooring.catalyst.ScalaLists;
import io.mooring.columnar.TypeSupport;
import io.mooring.pushdown.UnscaledColumns;
import io.mooring.scan.delta.DeltaFormat;
import io.mooring.scan.iceberg.IcebergFiles;
import io.mooring.scan.iceberg.IcebergFormat;
import io.mooring.scan.schema.FileColumns;
import io.mooring.scan.split.FilesWithMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.Count;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.execution.datasources.CatalogFileIndex;
import org.apache.spark.sql.execution.datasources.FileIndex;
import org.apache.spark.sql.execution.datasources.PartitioningAwareFileIndex;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataType;

/** Checks by the plan whether Mooring can read a relation exactly as Spark does. */
public final class ScanEligibility {
  /** Metadata of columns that no file has, such as {@code _metadata}. */
  static final String METADATA_COLUMN_KEY = "__metadata_col";

  private static final int MOST_SHOWN = 60;

  private final ScanPattern pattern;
  private final ScanFilters filters;
  private final List<AttributeReference> required;

  public ScanEligibility(ScanPattern pattern, ScanFilters filters) {
    this.pattern = pattern;
    this.filters = filters;
    this.required = required();
  }

  /**
   * Passes a relation that Mooring can read.
   *
   * @throws UnsupportedScanException with the first reason against it
   */
  public void check() throws UnsupportedScanException {
    checkFileIndex();
    checkQuery();
  }

  /**
   * Passes also a relation of which a table format has yet to choose the files.
   *
   * @throws UnsupportedScanException with the first reason against it
   */
  public void checkBeforeListing() throws UnsupportedScanException {
    FileIndex index = pattern.files().location();
    if (DeltaFormat.is(pattern.files().fileFormat())
        && DeltaFormat.willList(index, SQLConf.get())) {
      checkDeletedRows();
    } else {
      checkFileIndex();
    }
    checkQuery();
  }

  private void checkQuery() throws UnsupportedScanException {
    checkBuckets();
    checkCounts();
    for (AttributeReference column : required) {
      checkColumn(column);
    }
    checkRowIndexes();
  }

  /** Leaves row indexes to Spark where no column of the files is read, so nothing is decoded. */
  private void checkRowIndexes() throws UnsupportedScanException {
    List<AttributeReference> ofFiles =
        required.stream().filter(column -> !isPartitionColumn(column)).toList();
    if (ofFiles.size() == 1 && ofFiles.get(0).name().equals(FileColumns.ROW_INDEX)) {
      throw new UnsupportedScanException("the query asks for nothing but row indexes");
    }
  }

  private void checkFileIndex() throws UnsupportedScanException {
    FileIndex index = FilesWithMetadata.listing(pattern.files().location());
    if (DeltaFormat.is(pattern.files().fileFormat())) {
      checkDelta(index);
    } else if (index instanceof IcebergFiles iceberg) {
      checkIceberg(iceberg);
    } else if (!(index instanceof PartitioningAwareFileIndex)
        && !(index instanceof CatalogFileIndex)) {
      throw new UnsupportedScanException("files are listed by " + index.getClass().getSimpleName());
    }
  }

  private void checkDelta(FileIndex index) throws UnsupportedScanException {
    if (!DeltaFormat.lists(index)) {
      throw new UnsupportedScanException("files are listed by " + index.getClass().getSimpleName());
    }
    checkDeletedRows();
  }

  private void checkDeletedRows() throws UnsupportedScanException {
    DeltaFormat format = DeltaFormat.of(pattern.files().fileFormat());
    if (format.marksRows()) {
      throw new UnsupportedScanException("Delta Lake reads the table to find rows to delete");
    } else if (format.mayDeleteRows() && !DeltaFormat.usesRowIndexes(SQLConf.get())) {
      throw new UnsupportedScanException(DeltaFormat.ROW_INDEXES + " is false");
    }
  }

  private void checkIceberg(IcebergFiles files) throws UnsupportedScanException {
    String problem = files.problem(pattern.files().sparkSession().sessionState()::newHadoopConf);
    if (!problem.isEmpty()) {
      throw new UnsupportedScanException(problem);
    }
  }

  /** Leaves reads by bucket to Spark where they can save a shuffle. */
  private void checkBuckets() throws UnsupportedScanException {
    if (pattern.files().bucketSpec().isEmpty() || !SQLConf.get().bucketingEnabled()) {
      return;
    }
    List<String> buckets = ScalaLists.list(pattern.files().bucketSpec().get().bucketColumnNames());
    if (!BucketUse.isRuledOut(pattern.relation()) && leaving().containsAll(lowerCase(buckets))) {
      throw new UnsupportedScanException(
          "the query uses the columns that the table is bucketed by");
    }
  }

  /**
   * Leaves counts of a constant null to Spark, which would push them down as counts of all rows.
   */
  private void checkCounts() throws UnsupportedScanException {
    if (pattern.root() instanceof Aggregate aggregate
        && ScalaLists.list(aggregate.aggregateExpressions()).stream()
            .map(Expression.class::cast)
            .anyMatch(this::countsNulls)) {
      throw new UnsupportedScanException("the query counts a constant that is null");
    }
  }

  private boolean countsNulls(Expression expression) {
    return (expression instanceof Count && isNull(expression.children().head()))
        || ScalaLists.<Expression>list(expression.children()).stream().anyMatch(this::countsNulls);
  }

  private boolean isNull(Expression value) {
    if (value instanceof Literal literal) {
      return literal.value() == null;
    }
    return value instanceof Attribute attribute
        && pattern.upper().stream()
            .flatMap(node -> ScalaLists.<Expression>list(node.expressions()).stream())
            .anyMatch(it -> isAliasOf(it, attribute) && isNull(it.children().head()));
  }

  private static boolean isAliasOf(Expression expression, Attribute attribute) {
    return expression instanceof Alias alias && alias.exprId().equals(attribute.exprId());
  }

  /** The columns by which operators above the pattern may join or group. */
  private Set<String> leaving() {
    if (pattern.root() instanceof Aggregate aggregate) {
      // Distinct values are grouped by before they are aggregated.
      List<Expression> keys = new ArrayList<>(ScalaLists.list(aggregate.groupingExpressions()));
      ScalaLists.list(aggregate.aggregateExpressions()).stream()
          .map(Expression.class::cast)
          .filter(ScanEligibility::isOfDistinctValues)
          .forEach(keys::add);
      return references(keys);
    }
    List<LogicalPlan> projections =
        pattern.upper().stream().filter(Project.class::isInstance).toList();
    return projections.isEmpty()
        ? required.stream().map(column -> lowerCase(column.name())).collect(Collectors.toSet())
        : references(
            projections.stream()
                .flatMap(node -> ScalaLists.<Expression>list(node.expressions()).stream())
                .toList());
  }

  private static boolean isOfDistinctValues(Expression expression) {
    return (expression instanceof AggregateExpression function && function.isDistinct())
        || ScalaLists.<Expression>list(expression.children()).stream()
            .anyMatch(ScanEligibility::isOfDistinctValues);
  }

  private void checkColumn(AttributeReference column) throws UnsupportedScanException {
    if (!isIcebergs()) {
      checkMarks(column);
    }
    if (column.name().equals(FileColumns.ROW_INDEX)
        && !column.metadata().contains(FileColumns.GENERATED_KEY)) {
      // Who fills it depends on the format, and on what else is read.
      throw new UnsupportedScanException("the query asks for a column " + column.name());
    } else if (!isPartitionColumn(column) && !TypeSupport.supports(column.dataType())) {
      throw new UnsupportedScanException(
          "column " + column.name() + " has type " + shortened(column.dataType()));
    }
  }

  /** Checks that marks of columns that no file has are not those of a user's schema. */
  private void checkMarks(AttributeReference column) throws UnsupportedScanException {
    boolean ofSpark = column.metadata().contains(METADATA_COLUMN_KEY);
    if (ofSpark && !isInFiles(pattern, column.name())) {
      throw new UnsupportedScanException("the query asks for " + column.name());
    }
    boolean generated =
        column.metadata().contains(FileColumns.GENERATED_KEY)
            && !column.metadata().getString(FileColumns.GENERATED_KEY).equals(column.name());
    if (ofSpark || generated || UnscaledColumns.isMarked(column.metadata())) {
      throw new UnsupportedScanException(
          "column " + column.name() + " is marked as a metadata column");
    }
  }

  /** Whether the schema of a relation's files and folders has a column of a name. */
  static boolean isInFiles(ScanPattern pattern, String column) {
    return List.of(pattern.files().schema().fieldNames()).contains(column);
  }

  /** Whether metadata columns have been checked with the files. */
  private boolean isIcebergs() {
    return IcebergFormat.is(pattern.files().fileFormat());
  }

  /** The type of a struct can name hundreds of fields. */
  private static String shortened(DataType type) {
    String sql = TypeSupport.isOfVariant(type) ? "VARIANT" : type.sql();
    return sql.length() <= MOST_SHOWN ? sql : sql.substring(0, MOST_SHOWN) + "...";
  }

  private boolean isPartitionColumn(AttributeReference column) {
    // The relation's schema spells them as its partition schema does.
    return List.of(pattern.files().partitionSchema().fieldNames()).contains(column.name());
  }

  private List<AttributeReference> required() {
    List<AttributeReference> all = ScalaLists.list(pattern.relation().output());
    if (!pattern.choosesColumns()) {
      return all;
    }
    List<Expression> used =
        Stream.concat(
                pattern.upper().stream().map(LogicalPlan::expressions).map(ScalaLists::list),
                Stream.of(filters.rows()))
            .flatMap(List::stream)
            .map(Expression.class::cast)
            .toList();
    return all.stream().filter(column -> isUsed(column, used)).toList();
  }

  private static boolean isUsed(AttributeReference column, List<Expression> expressions) {
    return expressions.stream().anyMatch(it -> it.references().contains(column));
  }

  private static Set<String> references(List<Expression> expressions) {
    return expressions.stream()
        .flatMap(expression -> ScalaLists.<Attribute>list(expression.references().toSeq()).stream())
        .map(column -> lowerCase(column.name()))
        .collect(Collectors.toSet());
  }

  private static Set<String> lowerCase(List<String> names) {
    return names.stream().map(ScanEligibility::lowerCase).collect(Collectors.toSet());
  }

  private static String lowerCase(String name) {
    return name.toLowerCase(java.util.Locale.ROOT);
  }
}
