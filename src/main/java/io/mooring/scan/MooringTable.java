package io.mooring.scan;

import java.util.Set;
import java.util.function.Supplier;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspecify.annotations.Nullable;

/** A set of Parquet files as a readable table. */
public final class MooringTable implements SupportsRead {
  private final Supplier<HadoopFsRelation> source;
  private @Nullable HadoopFsRelation resolved;

  /**
   * A table over files that are listed when they are first asked for: a write looks at the table of
   * a path that does not exist yet.
   */
  public MooringTable(Supplier<HadoopFsRelation> source) {
    this.source = source;
  }

  private synchronized HadoopFsRelation relation() {
    HadoopFsRelation known = resolved;
    if (known == null) {
      known = source.get();
      resolved = known;
    }
    return known;
  }

  @Override
  public String name() {
    return MooringDataSource.NAME + " " + relation().location().rootPaths().mkString(", ");
  }

  @Override
  @SuppressWarnings("deprecation") // columns() is newer than the oldest Spark served
  public StructType schema() {
    return relation().schema();
  }

  @Override
  public Set<TableCapability> capabilities() {
    return Set.of(TableCapability.BATCH_READ);
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    HadoopFsRelation files = relation();
    boolean pushes = new GpuExpectation(files.sparkSession()).pushesInto(files);
    return new MooringScanBuilder(files, pushes);
  }
}
