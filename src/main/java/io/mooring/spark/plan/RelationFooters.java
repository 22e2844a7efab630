package io.mooring.spark.plan;

import io.mooring.scan.delta.DeltaFormat;
import io.mooring.scan.estimate.FooterEstimate;
import io.mooring.scan.iceberg.IcebergFiles;
import io.mooring.scan.split.FilteredFileIndex.TableFormatFileIndex;
import java.util.List;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.datasources.FileIndex;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.PartitioningAwareFileIndex;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;
import org.jspecify.annotations.Nullable;

/** What footers tell of relations whose files are known when a query is planned. */
public final class RelationFooters {
  private RelationFooters() {}

  /**
   * Reads the footer of a relation's largest file, unless it is cached; null where the plan is not
   * a relation of Parquet files, its files are not known, or the footer cannot be read.
   */
  public static @Nullable FooterEstimate of(LogicalPlan relation) {
    ScanPattern pattern = ScanPattern.find(relation);
    HadoopFsRelation listed =
        pattern != null && pattern.files().fileFormat() instanceof ParquetFileFormat
            ? listed(pattern.files())
            : null;
    return listed == null ? null : FooterEstimate.of(listed, List.of());
  }

  /** A relation whose files are known; others may compute for long which files a table has. */
  private static @Nullable HadoopFsRelation listed(HadoopFsRelation files) {
    FileIndex index = files.location();
    if (index instanceof PartitioningAwareFileIndex || index instanceof IcebergFiles) {
      return files;
    }
    return DeltaFormat.isPrepared(index)
        ? TableFormatFileIndex.asPrepared(files, DeltaFormat.preparedBy(index))
        : null;
  }
}
