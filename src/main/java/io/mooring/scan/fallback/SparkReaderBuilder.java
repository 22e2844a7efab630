package io.mooring.scan.fallback;

import io.mooring.catalyst.ScalaLists;
import io.mooring.scan.delta.DeltaFormat;
import io.mooring.scan.prune.SparkReaderFilters;
import io.mooring.scan.schema.ScanColumns;
import io.mooring.session.UnsourcedConfiguration;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.execution.datasources.FileFormat;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import scala.Function1;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Builds Spark's own readers of a scan's files. Used on the driver.
 *
 * @param predicates what the readers may prune by
 * @param returnsBatches whether the readers return batches, not rows
 */
public record SparkReaderBuilder(
    HadoopFsRelation relation,
    ScanColumns columns,
    List<Predicate> predicates,
    boolean returnsBatches) {
  /** Whether Spark reads a schema in batches, by the session's settings. */
  public static boolean returnsBatches(SparkSession session, StructType schema) {
    return new ParquetFileFormat().supportBatch(session, schema);
  }

  /** Whether Spark reads columns of a relation in batches, by the session's settings. */
  public static boolean returnsBatches(HadoopFsRelation relation, ScanColumns columns) {
    StructType read = columns.all();
    return returnsBatches(
        relation.sparkSession(), hasDeletedRows(relation) ? DeltaFormat.withMarks(read) : read);
  }

  /** Whether rows of the files may be deleted. */
  boolean hasDeletedRows() {
    return hasDeletedRows(relation);
  }

  private static boolean hasDeletedRows(HadoopFsRelation relation) {
    return DeltaFormat.is(relation.fileFormat())
        && DeltaFormat.of(relation.fileFormat()).mayDeleteRows();
  }

  /**
   * Whether the readers return the values of partition columns, too. Delta Lake's look for them
   * among the columns of the table, where those of {@code _metadata} are not.
   */
  boolean readsPartitionValues() {
    return !DeltaFormat.is(relation.fileFormat()) || !returnsBatches;
  }

  private StructType withFormatMetadata(StructType columns) {
    return DeltaFormat.is(relation.fileFormat())
        ? DeltaFormat.of(relation.fileFormat()).withFormatMetadata(columns)
        : columns;
  }

  /**
   * A reader of the files by one of their formats.
   *
   * @param all every column that the files may have
   * @param read those that are read
   */
  Function1<PartitionedFile, Iterator<InternalRow>> build(
      ParquetFileFormat format, StructType all, StructType read) {
    return build(format, all, read, SparkReaderFilters.forEveryFile(relation, predicates));
  }

  /**
   * A reader that skips row groups by every filter by which Spark's skips them; null where the
   * other reader does so.
   */
  @Nullable Function1<PartitionedFile, Iterator<InternalRow>> buildAsSpark(
      ParquetFileFormat format) {
    List<Filter> filters = SparkReaderFilters.asSpark(relation, predicates);
    return filters.equals(SparkReaderFilters.forEveryFile(relation, predicates))
        ? null
        : build(format, relation.dataSchema(), columns.data(), filters);
  }

  private Function1<PartitionedFile, Iterator<InternalRow>> build(
      ParquetFileFormat format, StructType all, StructType read, List<Filter> filters) {
    SparkSession session = session();
    return format.buildReaderWithPartitionValues(
        session,
        withFormatMetadata(all),
        readsPartitionValues() ? columns.partition() : new StructType(),
        withFormatMetadata(read),
        ScalaLists.seq(filters),
        relation
            .options()
            .updated(FileFormat.OPTION_RETURNING_BATCH(), String.valueOf(returnsBatches)),
        // Spark broadcasts it for each scan.
        new UnsourcedConfiguration(
            session.sessionState().newHadoopConfWithOptions(relation.options())));
  }

  /**
   * The relation's session; one with its settings and Spark's vectorized reader on where that was
   * switched off after the scan was planned with batches.
   */
  private SparkSession session() {
    SparkSession session = relation.sparkSession();
    if (!returnsBatches || returnsBatches(relation, columns)) {
      return session;
    }
    SparkSession planned = session.newSession();
    SQLConf conf = planned.sessionState().conf();
    CollectionConverters.asJava(session.sessionState().conf().getAllConfs())
        .forEach(conf::setConfString);
    conf.setConfString(SQLConf.PARQUET_VECTORIZED_READER_ENABLED().key(), "true");
    conf.setConfString(SQLConf.PARQUET_VECTORIZED_READER_NESTED_COLUMN_ENABLED().key(), "true");
    return planned;
  }
}
