package io.mooring.scan;

import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspecify.annotations.Nullable;

/**
 * The data source {@code mooring}: Parquet files. It is a {@link ParquetFileFormat} too, so that
 * writing, and SQL on a path, find what they ask for.
 */
public final class MooringDataSource extends ParquetFileFormat implements TableProvider {
  /** The name for {@code format(...)} and for SQL on a path. */
  public static final String NAME = "mooring";

  private transient @Nullable HadoopFsRelation inferred;

  @Override
  public String shortName() {
    return NAME;
  }

  @Override
  public String toString() {
    return "Mooring";
  }

  @Override
  public boolean supportsExternalMetadata() {
    return true;
  }

  @Override
  public StructType inferSchema(CaseInsensitiveStringMap options) {
    HadoopFsRelation relation =
        SparkRelations.resolve(SparkSession.active(), paths(options), null, options);
    inferred = relation;
    return relation.schema();
  }

  @Override
  public Table getTable(
      StructType schema, Transform[] partitioning, Map<String, String> properties) {
    HadoopFsRelation known = inferred;
    if (known != null && known.schema().equals(schema)) {
      return new MooringTable(() -> known);
    }
    CaseInsensitiveStringMap options = new CaseInsensitiveStringMap(properties);
    SparkSession session = SparkSession.active();
    return new MooringTable(() -> SparkRelations.resolve(session, paths(options), schema, options));
  }

  private static List<String> paths(CaseInsensitiveStringMap options) {
    return PathOptions.paths(options);
  }
}
