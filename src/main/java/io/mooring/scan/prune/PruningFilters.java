package io.mooring.scan.prune;

import io.mooring.parquet.footer.Footer;
import io.mooring.scan.schema.FileFields;
import io.mooring.scan.schema.RebaseCheck;
import io.mooring.session.ReadSettings;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.parquet.filter2.predicate.FilterApi;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFilters;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.OptionConverters;

/**
 * The pushed filters that row groups are pruned by, with Spark's settings for that. Travels to
 * executors.
 *
 * @param enabled whether Spark's settings let filters reach files
 * @param mostInValues an {@code IN} with more values becomes a range
 * @param evaluated whether every row that leaves the scan, or the stage above, satisfies the
 *     filters
 * @param keys the keys of joins that columns are compared with
 * @param partitionKeys the keys of joins by which whole files are left out
 */
public record PruningFilters(
    List<Filter> filters,
    boolean enabled,
    boolean dates,
    boolean timestamps,
    boolean decimals,
    boolean texts,
    int mostInValues,
    boolean evaluated,
    List<ColumnKeys> keys,
    PartitionKeys partitionKeys)
    implements Serializable {

  /**
   * The filters of a scan, none where Spark's settings forbid it.
   *
   * @param residual those of the predicates that the scan does not evaluate
   */
  public static PruningFilters of(
      HadoopFsRelation relation, List<Predicate> predicates, List<Predicate> residual) {
    SQLConf conf = relation.sparkSession().sessionState().conf();
    return of(
        conf,
        conf.parquetFilterPushDown() ? inFiles(relation, predicates) : List.of(),
        residual.stream().allMatch(predicate -> V1Filters.of(predicate).isEmpty()));
  }

  /** Filters that Spark evaluates. */
  public static PruningFilters of(SQLConf conf, List<Filter> filters) {
    return of(conf, filters, false);
  }

  /**
   * Adds predicates that every row passes which leaves the stage above.
   *
   * @param columns the data columns that are read
   * @param inFiles the same columns as files have them
   */
  public PruningFilters with(List<Predicate> predicates, StructType columns, StructType inFiles) {
    FileNames names = FileNames.of(columns, inFiles);
    List<Filter> found =
        predicates.stream()
            .map(names::predicate)
            .filter(Objects::nonNull)
            .flatMap(it -> V1Filters.of(it).stream())
            .toList();
    return found.isEmpty() ? this : with(found, keys, partitionKeys);
  }

  /**
   * Adds the keys of joins in the stage above, to which every row belongs that leaves the stage.
   *
   * @param ofPartitions by which files are left out
   */
  public PruningFilters with(List<ColumnKeys> ofColumns, PartitionKeys ofPartitions) {
    return with(List.of(), ofColumns, ofPartitions);
  }

  private PruningFilters with(
      List<Filter> more, List<ColumnKeys> ofColumns, PartitionKeys ofPartitions) {
    List<Filter> all = new ArrayList<>(filters);
    all.addAll(more);
    return new PruningFilters(
        List.copyOf(all),
        enabled,
        dates,
        timestamps,
        decimals,
        texts,
        mostInValues,
        evaluated || filters.isEmpty(),
        ofColumns,
        ofPartitions);
  }

  /** Whether a file with these partition values has to be read. */
  public boolean mayMatch(InternalRow partitionValues) {
    return partitionKeys.mayMatch(partitionValues);
  }

  private static PruningFilters of(SQLConf conf, List<Filter> filters, boolean evaluated) {
    return new PruningFilters(
        filters,
        conf.parquetFilterPushDown(),
        conf.parquetFilterPushDownDate(),
        conf.parquetFilterPushDownTimestamp(),
        conf.parquetFilterPushDownDecimal(),
        conf.parquetFilterPushDownStringPredicate(),
        conf.parquetFilterPushDownInFilterThreshold(),
        evaluated,
        List.of(),
        PartitionKeys.NONE);
  }

  private static List<Filter> inFiles(HadoopFsRelation relation, List<Predicate> predicates) {
    return filters(relation, predicates, predicate -> FileNames.inFiles(relation, predicate));
  }

  /**
   * The pushed filters on columns of the files alone. A partition column can be in the files too,
   * with other values than the folder's, and the folder's hold.
   */
  static List<Filter> filters(HadoopFsRelation relation, List<Predicate> predicates) {
    return filters(relation, predicates, Optional::of);
  }

  private static List<Filter> filters(
      HadoopFsRelation relation,
      List<Predicate> predicates,
      Function<Predicate, Optional<Predicate>> renamed) {
    Set<String> partitions = FileNames.inFilters(relation.partitionSchema());
    return predicates.stream()
        .filter(
            it ->
                V1Filters.of(it).stream()
                    .flatMap(filter -> Arrays.stream(filter.references()))
                    .noneMatch(partitions::contains))
        .flatMap(it -> renamed.apply(it).flatMap(V1Filters::of).stream())
        .toList();
  }

  /**
   * The filters as a predicate of parquet-mr for one file, as far as Spark can translate them; null
   * when none can be.
   *
   * @param columns that are read, as files have them
   */
  public @Nullable FilterPredicate predicate(
      Footer footer, StructType columns, ReadSettings settings) {
    if (filters.isEmpty() && keys.isEmpty()) {
      return null;
    }
    ParquetFilters translation = translation(footer, settings);
    Stream<FilterPredicate> ofFilters =
        filters.stream()
            .filter(it -> areByName(List.of(it.references()), footer, columns, settings))
            .filter(filter -> LossyFilters.decimalsFit(filter, footer.schema()))
            .flatMap(filter -> OptionConverters.toJava(translation.createFilter(filter)).stream());
    Stream<FilterPredicate> ofKeys =
        keys.stream()
            .filter(it -> areByName(List.of(it.column()), footer, columns, settings))
            .flatMap(it -> it.predicate(translation).stream());
    return Stream.concat(ofFilters, ofKeys).reduce(FilterApi::and).orElse(null);
  }

  /** Whether a file has these columns by these names: columns with an id may have another. */
  private static boolean areByName(
      List<String> names, Footer footer, StructType columns, ReadSettings settings) {
    if (!settings.fieldIds() || !FileFields.haveIds(columns)) {
      return true;
    }
    FileFields fields = new FileFields(footer.schema(), settings);
    List<String> same =
        Arrays.stream(columns.fields())
            .filter(fields::hasByName)
            .map(column -> FileNames.inFilters(column.name()))
            .toList();
    return same.containsAll(names);
  }

  private ParquetFilters translation(Footer footer, ReadSettings settings) {
    return new ParquetFilters(
        footer.schema(),
        dates,
        timestamps && !hasMillis(footer),
        decimals,
        texts,
        mostInValues,
        settings.caseSensitive(),
        RebaseCheck.datetimeSpec(footer, settings));
  }

  /** Spark rounds what is compared to milliseconds down, which some comparisons do not survive. */
  private static boolean hasMillis(Footer footer) {
    return footer.schema().getColumns().stream()
        .anyMatch(
            leaf ->
                leaf.getPrimitiveType().getLogicalTypeAnnotation()
                        instanceof TimestampLogicalTypeAnnotation type
                    && type.getUnit() == TimeUnit.MILLIS);
  }
}
