package io.mooring.scan.iceberg;

import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.execution.datasources.FileIndex;
import org.apache.spark.sql.execution.datasources.PartitionDirectory;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The data files of a scan that Iceberg has planned, as a file index. Iceberg has pruned them, and
 * files have all columns of the table: each is listed as a partition of its own, whose columns are
 * those that Iceberg adds to its rows. Equal to another of an equal scan. Thread-safe as far as
 * Iceberg's scan is.
 */
public final class IcebergFiles implements FileIndex {
  private final IcebergScan scan;
  private @Nullable IcebergReader reader;
  private @Nullable String problem;
  private @Nullable StructType columns;
  private long bytes = -1;

  IcebergFiles(IcebergScan scan) {
    this.scan = scan;
  }

  /** The scan of these files. */
  public IcebergScan scan() {
    return scan;
  }

  /** The reader of these files, of which there is one. */
  public synchronized IcebergReader reader() {
    if (reader == null) {
      reader = IcebergReader.of(scan);
    }
    return reader;
  }

  /** Why the scan is Iceberg's own to do; empty where nothing is known against it. */
  public synchronized String problem(Supplier<Configuration> hadoop) {
    if (problem == null) {
      problem = new IcebergEligibility(scan, hadoop.get()).problem();
    }
    return problem;
  }

  /** Leaves out the files whose partitions cannot hold a row for some conditions. */
  public void filter(Predicate[] predicates) {
    scan.filter(predicates);
  }

  /** Iceberg's own description of the scan, for EXPLAIN. */
  public String describe() {
    return scan.scan().description();
  }

  /** All files: no condition on partitions comes here. */
  @Override
  public Seq<PartitionDirectory> listFiles(
      Seq<Expression> partitionFilters, Seq<Expression> dataFilters) {
    IcebergFileColumns ofFiles = IcebergFileColumns.of(scan);
    List<PartitionDirectory> files =
        scan.tasks().stream()
            .map(task -> new PartitionDirectory(ofFiles.values(task), seq(task.listed())))
            .toList();
    return CollectionConverters.asScala(files).toList();
  }

  private static <T> Seq<T> seq(T element) {
    return CollectionConverters.asScala(List.of(element)).toList();
  }

  @Override
  public Seq<Path> rootPaths() {
    return seq(new Path((String) IcebergScan.LIBRARY.call(scan.table(), "location")));
  }

  @Override
  public String[] inputFiles() {
    return scan.tasks().stream().map(IcebergTask::location).toArray(String[]::new);
  }

  @Override
  public void refresh() {
    // A scan reads the snapshot for which it was planned.
  }

  /** The bytes of the scan's columns in the files, before files are pruned at run time. */
  @Override
  public synchronized long sizeInBytes() {
    if (bytes < 0) {
      bytes = scan.isQuery() ? columnBytes() : scan.estimatedBytes();
    }
    return bytes;
  }

  private long columnBytes() {
    double all = scan.tasks().stream().mapToLong(task -> task.file().length()).sum();
    return (long) (all * scan.shareOfColumns());
  }

  @Override
  public synchronized StructType partitionSchema() {
    if (columns == null) {
      // Others are Iceberg's own to do.
      boolean known = scan.isQuery() && IcebergVersion.isKnown(scan.scan());
      columns = known ? IcebergFileColumns.of(scan).schema() : new StructType();
    }
    return columns;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof IcebergFiles that && scan.equals(that.scan);
  }

  @Override
  public int hashCode() {
    return scan.hashCode();
  }
}
