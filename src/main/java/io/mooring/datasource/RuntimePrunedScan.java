package io.mooring.datasource;

import io.mooring.scan.iceberg.IcebergFiles;
import io.mooring.scan.split.RuntimeConditions;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.SupportsRuntimeV2Filtering;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * A scan whose partitions are pruned once more when the other side of a join is known, or a
 * sub-query's value. Equal to another that reads the same, whatever has been pruned. Not
 * thread-safe, as Spark does not ask.
 */
public final class RuntimePrunedScan implements Scan, Batch, SupportsRuntimeV2Filtering {
  private final MooringScan scan;
  private final RuntimeConditions conditions;
  private List<Predicate> found = List.of();

  private RuntimePrunedScan(MooringScan scan, RuntimeConditions conditions) {
    this.scan = scan;
    this.conditions = conditions;
  }

  /**
   * Wraps a scan of {@link MooringTable}.
   *
   * @throws ClassCastException for any other scan
   */
  public static Scan of(Scan scan, RuntimeConditions conditions) {
    return new RuntimePrunedScan((MooringScan) scan, conditions);
  }

  /** The scan that is pruned. */
  public MooringScan scan() {
    return scan;
  }

  /** The columns to filter by that are read: Spark 4.2 looks for them in the scan's output. */
  @Override
  public NamedReference[] filterAttributes() {
    StructType columns =
        scan.relation().location() instanceof IcebergFiles files
            ? files.scan().filterColumns()
            : scan.partitionColumns();
    return Arrays.stream(columns.fieldNames())
        .map(Expressions::column)
        .toArray(NamedReference[]::new);
  }

  /** Replaces what was found before: a plan that runs again finds it again. */
  @Override
  public void filter(Predicate[] predicates) {
    if (scan.relation().location() instanceof IcebergFiles files) {
      // Its partitions are known to Iceberg alone.
      files.filter(predicates);
    } else {
      found = List.of(predicates);
    }
  }

  @Override
  public InputPartition[] planInputPartitions() {
    return scan.planInputPartitions(conditions, found);
  }

  @Override
  public Batch toBatch() {
    return this;
  }

  @Override
  public StructType readSchema() {
    return scan.readSchema();
  }

  @Override
  public String description() {
    return scan.description() + conditions.describe();
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    return scan.createReaderFactory();
  }

  @Override
  public ColumnarSupportMode columnarSupportMode() {
    return scan.columnarSupportMode();
  }

  @Override
  public CustomMetric[] supportedCustomMetrics() {
    return scan.supportedCustomMetrics();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RuntimePrunedScan pruned
        && scan.equals(pruned.scan)
        && conditions.equals(pruned.conditions);
  }

  @Override
  public int hashCode() {
    return scan.hashCode();
  }
}
