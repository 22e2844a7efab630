package io.mooring.scan.iceberg;

import io.mooring.scan.library.Library;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.LocalScan;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.connector.read.SupportsRuntimeV2Filtering;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.collection.immutable.Map$;

/**
 * A scan that Iceberg has planned: which files, which columns, which rows are deleted. Equal to
 * another that reads the same; used on the driver, and thread-safe as far as Iceberg's is.
 */
public record IcebergScan(Scan scan) {
  static final Library LIBRARY = new Library("Iceberg");
  private static final String PACKAGE = "org.apache.iceberg.";
  // Scans of data files of a snapshot, and of what was appended between two.
  private static final Set<String> QUERIES =
      Set.of("SparkBatchQueryScan", "SparkIncrementalAppendScan");

  /** Whether a scan is one of Iceberg's, of whatever kind, that reads files. */
  public static boolean is(Scan scan) {
    return scan.getClass().getName().startsWith(PACKAGE) && !(scan instanceof LocalScan);
  }

  /** The files of the scan as a relation; not all of them are Mooring's to read. */
  public HadoopFsRelation relation(SparkSession session) {
    IcebergFiles files = new IcebergFiles(this);
    return new HadoopFsRelation(
        files,
        files.partitionSchema(),
        RowLineage.withInputs(columnsOfRows(files.partitionSchema()), files.partitionSchema()),
        Option.empty(),
        new IcebergFormat(files),
        isQuery() ? IcebergFormat.options(table(), session) : Map$.MODULE$.empty(),
        session);
  }

  private StructType columnsOfRows(StructType ofFiles) {
    Set<String> others = Set.of(ofFiles.fieldNames());
    return new StructType(
        Arrays.stream(schema().fields())
            .filter(column -> !others.contains(column.name()))
            .toArray(StructField[]::new));
  }

  /** Columns of the scan, in any order, with the ids by which files have them. */
  public StructType inFiles(StructType columns) {
    return IcebergColumns.withIds(columns, projection());
  }

  /** Whether the scan is made for reading a table, not for rewriting one or for its changes. */
  boolean isQuery() {
    return QUERIES.contains(kind());
  }

  String kind() {
    return scan.getClass().getSimpleName();
  }

  /** The tasks of the scan; in a query one for each data file. */
  List<IcebergTask> tasks() {
    return ((List<?>) LIBRARY.call(scan, "tasks")).stream().map(IcebergTask::new).toList();
  }

  /** Iceberg's table. */
  Object table() {
    return LIBRARY.call(scan, "table");
  }

  /** The columns that are read, as Spark knows them. */
  public StructType schema() {
    return scan.readSchema();
  }

  /** The columns that are read, as the metadata has them: with field ids. */
  Object projection() {
    return IcebergVersion.projection(scan);
  }

  /** The columns by which files can be chosen while the query runs. */
  public StructType filterColumns() {
    NamedReference[] columns =
        scan instanceof SupportsRuntimeV2Filtering filtering
            ? filtering.filterAttributes()
            : new NamedReference[0];
    return new StructType(
        Arrays.stream(columns)
            .filter(column -> column.fieldNames().length == 1)
            .map(column -> schema().apply(column.fieldNames()[0]))
            .toArray(StructField[]::new));
  }

  /** Leaves out the files whose partitions cannot hold a row for some conditions. */
  void filter(Predicate[] predicates) {
    ((SupportsRuntimeV2Filtering) scan).filter(predicates);
  }

  /** Iceberg's estimate of the size of the rows. */
  long estimatedBytes() {
    return ((SupportsReportStatistics) scan).estimateStatistics().sizeInBytes().orElse(1);
  }

  /** The part of a row that is in the columns that are read, by the sizes of types. */
  double shareOfColumns() {
    Object all = LIBRARY.call(table(), "schema");
    StructType columns =
        (StructType) LIBRARY.callStatic(PACKAGE + "spark.SparkSchemaUtil", "convert", all);
    return Math.min(1, (double) schema().defaultSize() / Math.max(1, columns.defaultSize()));
  }
}
