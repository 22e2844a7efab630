package io.mooring.datasource;

import io.mooring.pushdown.Pushdown;
import io.mooring.scan.fallback.SparkFileReader;
import io.mooring.scan.fallback.SparkReaderBuilder;
import io.mooring.scan.plan.FileSchema;
import io.mooring.scan.plan.ScanContext;
import io.mooring.scan.prune.PruningFilters;
import io.mooring.scan.schema.ScanColumns;
import io.mooring.scan.split.BucketPruner;
import io.mooring.scan.split.FileListing;
import io.mooring.scan.split.FileSplit;
import io.mooring.scan.split.FilteredFileIndex;
import io.mooring.scan.split.RuntimeConditions;
import io.mooring.scan.split.ScanPartition;
import io.mooring.scan.split.SplitPlanning;
import io.mooring.session.HadoopConfBroadcasts;
import io.mooring.session.ReadSettings;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.BasePredicate;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.SerializableConfiguration;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A scan of some columns of a table. Two scans are equal when they read the same, so that Spark can
 * reuse the exchange above one.
 *
 * @param predicates what files are pruned by
 * @param residual those of the predicates that Spark evaluates
 * @param columnar whether the scan gives batches; decided when it is planned, as what it evaluates
 *     depends on it, and settings of the session may change before it runs
 */
public record MooringScan(
    HadoopFsRelation relation,
    StructType dataColumns,
    StructType partitionColumns,
    List<Predicate> predicates,
    List<Predicate> residual,
    Pushdown pushdown,
    boolean columnar)
    implements Scan, Batch, SupportsReportStatistics {
  @Override
  public StructType readSchema() {
    return pushdown.output();
  }

  /** The columns that are read. */
  ScanColumns columns() {
    return new ScanColumns(dataColumns, partitionColumns);
  }

  @Override
  public Batch toBatch() {
    return this;
  }

  @Override
  public String description() {
    String pruning = predicates.stream().map(Predicate::toString).collect(Collectors.joining(", "));
    return "MooringScan "
        + MooringTable.location(relation)
        + FilteredFileIndex.describe(relation.location())
        + BucketPruner.describe(relation, predicates)
        + " columns "
        + Arrays.toString(columns().all().fieldNames())
        + " pruning by ["
        + pruning
        + "]"
        + pushdown.describe();
  }

  @Override
  public InputPartition[] planInputPartitions() {
    return planInputPartitions(RuntimeConditions.NONE, List.of());
  }

  /** Splits of what is left of the table once Spark has found predicates at run time. */
  InputPartition[] planInputPartitions(RuntimeConditions conditions, List<Predicate> found) {
    BasePredicate partitions = conditions.on(relation.partitionSchema(), found);
    List<FileSplit> files =
        new FileListing(relation, partitionColumns).files(predicates, partitions);
    if (files.isEmpty() && pushdown.needsARow()) {
      return new InputPartition[] {new ScanPartition(List.of())};
    }
    return SplitPlanning.of(relation.sparkSession()).plan(files).stream()
        .toArray(InputPartition[]::new);
  }

  @Override
  public ScanReaderFactory createReaderFactory() {
    SparkSession session = relation.sparkSession();
    var options = new HashMap<>(CollectionConverters.asJava(relation.options()));
    ReadSettings settings = ReadSettings.of(session, options);
    ScanContext context =
        new ScanContext(
            columns(),
            FileSchema.of(relation, dataColumns),
            pushdown,
            settings,
            PruningFilters.of(relation, predicates, residual),
            hadoopConf(session));
    SparkReaderBuilder spark = new SparkReaderBuilder(relation, columns(), predicates, columnar);
    return new ScanReaderFactory(context, SparkFileReader.create(spark, settings), columnar);
  }

  private Broadcast<SerializableConfiguration> hadoopConf(SparkSession session) {
    return HadoopConfBroadcasts.of(
        session.sparkContext(),
        session.sessionState().newHadoopConfWithOptions(relation.options()));
  }

  @Override
  public ColumnarSupportMode columnarSupportMode() {
    return columnar ? ColumnarSupportMode.SUPPORTED : ColumnarSupportMode.UNSUPPORTED;
  }

  @Override
  public CustomMetric[] supportedCustomMetrics() {
    return ScanMetrics.all();
  }

  @Override
  public Statistics estimateStatistics() {
    double whole = Math.max(1, relation.schema().defaultSize());
    double factor = relation.sparkSession().sessionState().conf().fileCompressionFactor();
    double share = readSchema().defaultSize() / whole;
    long bytes = (long) (factor * relation.location().sizeInBytes() * share);
    return new SizeOnly(Math.max(1, bytes));
  }

  private record SizeOnly(long bytes) implements Statistics {
    @Override
    public OptionalLong sizeInBytes() {
      return OptionalLong.of(bytes);
    }

    @Override
    public OptionalLong numRows() {
      return OptionalLong.empty();
    }
  }
}
