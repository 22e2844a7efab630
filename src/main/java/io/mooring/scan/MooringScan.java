package io.mooring.scan;

import io.mooring.catalyst.ScalaLists;
import io.mooring.pushdown.Pushdown;
import io.mooring.scan.delta.DeltaFormat;
import io.mooring.scan.iceberg.IcebergFormat;
import io.mooring.scan.iceberg.IcebergTask;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.spark.paths.SparkPath;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.execution.datasources.FileFormat;
import org.apache.spark.sql.execution.datasources.FileStatusWithMetadata;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.PartitionDirectory;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.Utils;
import scala.collection.immutable.Map;
import scala.collection.immutable.Map$;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A scan of some columns of a table. Two scans are equal when they read the same, so that Spark can
 * reuse the exchange above one.
 */
record MooringScan(
    HadoopFsRelation relation,
    StructType dataColumns,
    StructType partitionColumns,
    List<Predicate> predicates,
    Pushdown pushdown)
    implements Scan, Batch, SupportsReportStatistics {
  // Characters: a pruned table has a root for each partition.
  private static final int MOST_NAMED = 100;

  @Override
  public StructType readSchema() {
    return pushdown.output();
  }

  /** The columns that are read: of the files, then of their folders. */
  StructType readColumns() {
    return joined(dataColumns, partitionColumns);
  }

  static StructType joined(StructType dataColumns, StructType partitionColumns) {
    StructType all = dataColumns;
    for (var field : partitionColumns.fields()) {
      all = all.add(field);
    }
    return all;
  }

  @Override
  public Batch toBatch() {
    return this;
  }

  @Override
  public String description() {
    String pruning = predicates.stream().map(Predicate::toString).collect(Collectors.joining(", "));
    return "MooringScan "
        + Utils.buildLocationMetadata(relation.location().rootPaths(), MOST_NAMED)
        + PrunedFiles.shown(relation.location())
        + " columns "
        + Arrays.toString(readColumns().fieldNames())
        + " pruning by ["
        + pruning
        + "]"
        + pushdown.describe();
  }

  @Override
  public InputPartition[] planInputPartitions() {
    List<FileSplit> files = new ArrayList<>();
    PartitionPruner pruner = new PartitionPruner(predicates, relation.partitionSchema());
    PartitionProjection projection =
        new PartitionProjection(relation.partitionSchema(), partitionColumns);
    for (PartitionDirectory directory :
        CollectionConverters.asJava(
            relation.location().listFiles(ScalaLists.empty(), ScalaLists.empty()))) {
      if (pruner.mayMatch(directory.values())) {
        var values = projection.apply(directory.values());
        CollectionConverters.asJava(directory.files())
            .forEach(file -> files.add(wholeFile(file, values)));
      }
    }
    if (files.isEmpty() && pushdown.needsARow()) {
      return new InputPartition[] {new ScanPartition(List.of())};
    }
    return SessionSettings.of(relation.sparkSession())
        .partitions(files)
        .toArray(InputPartition[]::new);
  }

  private FileSplit wholeFile(FileStatusWithMetadata file, InternalRow partitionValues) {
    FileStatus status = file.fileStatus();
    return new FileSplit(
        status.getPath().toString(),
        shownPath(file),
        0,
        status.getLen(),
        status.getLen(),
        status.getModificationTime(),
        partitionValues,
        hosts(status),
        told(file));
  }

  private Map<String, Object> told(FileStatusWithMetadata file) {
    FileFormat format = relation.fileFormat();
    return DeltaFormat.is(format) || IcebergFormat.is(format)
        ? file.metadata()
        : Map$.MODULE$.empty();
  }

  private String shownPath(FileStatusWithMetadata file) {
    IcebergTask task = IcebergTask.of(told(file));
    return task == null
        ? SparkPath.fromPath(file.fileStatus().getPath()).urlEncoded()
        : task.location();
  }

  private static String[] hosts(FileStatus status) {
    if (!(status instanceof LocatedFileStatus located) || located.getBlockLocations() == null) {
      return new String[0];
    }
    try {
      BlockLocation[] blocks = located.getBlockLocations();
      return blocks.length == 0 ? new String[0] : blocks[0].getHosts();
    } catch (IOException e) {
      // Locality is a hint: a task without it reads the same.
      return new String[0];
    }
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    return ScanReaderFactory.create(this);
  }

  @Override
  public ColumnarSupportMode columnarSupportMode() {
    return SparkFileReader.returnsBatches(this)
        ? ColumnarSupportMode.SUPPORTED
        : ColumnarSupportMode.UNSUPPORTED;
  }

  @Override
  public CustomMetric[] supportedCustomMetrics() {
    return ScanMetrics.all();
  }

  @Override
  public Statistics estimateStatistics() {
    double whole = Math.max(1, relation.schema().defaultSize());
    double factor = SessionSettings.of(relation.sparkSession()).compressionFactor();
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
