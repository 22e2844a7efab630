package io.mooring.spark.plan.explain;

import io.mooring.conf.ConfEntry;
import io.mooring.conf.SqlEntries;
import io.mooring.datasource.MooringDataSource;
import io.mooring.scan.delta.DeltaFormat;
import io.mooring.scan.iceberg.IcebergScan;
import java.util.Locale;
import org.apache.spark.sql.catalyst.catalog.HiveTableRelation;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.execution.datasources.FileFormat;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation;
import org.apache.spark.sql.execution.datasources.v2.parquet.ParquetScan;
import org.jspecify.annotations.Nullable;

/**
 * Filters and projections over a Parquet scan of another reader, with the reason. Libraries are
 * recognized by the names of their classes, because none has to be on the class path.
 */
public record ForeignScan(LogicalPlan plan, String reason) {
  private static final String DELTA = "io.delta.";
  private static final String HUDI = "org.apache.hudi.";

  /** Null when the plan is anything else. */
  public static @Nullable ForeignScan find(LogicalPlan plan) {
    LogicalPlan leaf = plan;
    while (leaf instanceof Project || leaf instanceof Filter) {
      leaf = leaf.children().head();
    }
    String reason = reason(leaf);
    return reason == null ? null : new ForeignScan(plan, reason);
  }

  private static @Nullable String reason(LogicalPlan leaf) {
    if (leaf instanceof LogicalRelation relation) {
      return ofRelation(relation);
    } else if (leaf instanceof DataSourceV2ScanRelation relation) {
      return ofV2(relation);
    } else if (leaf instanceof HiveTableRelation relation) {
      return ofHive(relation);
    }
    return null;
  }

  private static @Nullable String ofRelation(LogicalRelation relation) {
    if (!(relation.relation() instanceof HadoopFsRelation files)) {
      return isOf(HUDI, relation.relation()) ? "Hudi reads its own tables" : null;
    } else if (!(files.fileFormat() instanceof ParquetFileFormat)) {
      return null;
    } else if (relation.isStreaming()) {
      return "Spark reads streaming sources";
    }
    return ofFormat(files.fileFormat());
  }

  private static @Nullable String ofFormat(FileFormat format) {
    if (format.getClass() == ParquetFileFormat.class
        || format instanceof MooringDataSource
        || format instanceof ExplainedParquetFormat) {
      return null;
    }
    String name = format.getClass().getName();
    if (name.toLowerCase(Locale.ROOT).contains("hoodie")) {
      return "Hudi reads its own tables";
    }
    return DeltaFormat.is(format)
        ? isFalse(SqlEntries.DELTA_ENABLED)
        : "files are of format " + format.getClass().getSimpleName();
  }

  private static @Nullable String ofV2(DataSourceV2ScanRelation relation) {
    if (relation.scan() instanceof ParquetScan) {
      return "data source V2 reads it, spark.sql.sources.useV1SourceList is without parquet";
    } else if (IcebergScan.is(relation.scan())) {
      return isFalse(SqlEntries.ICEBERG_ENABLED);
    }
    return isOf(DELTA, relation.scan()) ? "Delta Lake's data source V2 reads its own tables" : null;
  }

  private static String isFalse(ConfEntry<Boolean> setting) {
    return setting.key() + " is false";
  }

  private static boolean isOf(String library, Object part) {
    return part.getClass().getName().startsWith(library);
  }

  private static @Nullable String ofHive(HiveTableRelation relation) {
    boolean parquet =
        relation.tableMeta().storage().serde().exists(serde -> serde.contains("ParquetHiveSerDe"));
    return parquet
        ? "Hive's SerDe reads it, spark.sql.hive.convertMetastoreParquet is false"
        : null;
  }
}
