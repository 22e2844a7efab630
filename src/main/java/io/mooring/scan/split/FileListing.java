package io.mooring.scan.split;

import io.mooring.catalyst.ScalaLists;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.scan.delta.DeltaFormat;
import io.mooring.scan.iceberg.IcebergFormat;
import io.mooring.scan.iceberg.IcebergTask;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BasePredicate;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.execution.datasources.FileFormat;
import org.apache.spark.sql.execution.datasources.FileStatusWithMetadata;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.PartitionDirectory;
import org.apache.spark.sql.types.StructType;
import scala.collection.immutable.Map;
import scala.collection.immutable.Map$;

/**
 * Lists the files of a relation that a scan reads, whole and with the values of its partition
 * columns. Used on the driver.
 *
 * @param read the partition columns that are read
 */
public record FileListing(HadoopFsRelation relation, StructType read) {
  /** The files of partitions that may hold a row for which all of some predicates are true. */
  public List<FileSplit> files(List<Predicate> predicates) {
    return files(predicates, RuntimeConditions.NONE.on(relation.partitionSchema(), List.of()));
  }

  /**
   * The files of partitions that may hold a row for which all of some predicates are true.
   *
   * @param partitions what holds for the values of all partition columns besides
   */
  public List<FileSplit> files(List<Predicate> predicates, BasePredicate partitions) {
    List<FileSplit> files = new ArrayList<>();
    PartitionPruner pruner = new PartitionPruner(predicates, relation.partitionSchema());
    BitSet buckets = BucketPruner.read(relation, predicates);
    for (PartitionDirectory directory :
        ScalaLists.<PartitionDirectory>list(
            relation.location().listFiles(ScalaLists.empty(), ScalaLists.empty()))) {
      if (hasFiles(directory)
          && pruner.mayMatch(directory.values())
          && partitions.eval(directory.values())) {
        InternalRow values = project(directory.values());
        ScalaLists.<FileStatusWithMetadata>list(directory.files()).stream()
            .filter(file -> BucketPruner.mayHold(buckets, file.getPath().getName()))
            .forEach(file -> files.add(wholeFile(file, values)));
      }
    }
    return files;
  }

  /**
   * Whether there are files in a directory.
   *
   * @throws AssertionError if other columns partition them since a refresh, as by Spark's reader
   */
  private boolean hasFiles(PartitionDirectory directory) {
    if (directory.files().isEmpty()) {
      // A folder that has lost its partitions has no values, either.
      return false;
    }
    int columns = relation.partitionSchema().length();
    int values = directory.values().numFields();
    if (values != columns) {
      String folder = directory.files().head().getPath().getParent().toString();
      throw new AssertionError(
          folder + " has " + values + " partition columns, the table has " + columns);
    }
    return true;
  }

  /** The columns that are read out of a directory's partition values. */
  private InternalRow project(InternalRow values) {
    StructType all = relation.partitionSchema();
    Object[] picked = new Object[read.length()];
    for (int i = 0; i < picked.length; i++) {
      int at = all.fieldIndex(read.fieldNames()[i]);
      picked[i] = values.get(at, all.fields()[at].dataType());
    }
    return new GenericInternalRow(picked);
  }

  private FileSplit wholeFile(FileStatusWithMetadata file, InternalRow partitionValues) {
    FileStatus status = file.fileStatus();
    return FileSplit.whole(
        ParquetFile.of(status, DeltaFormat.is(relation.fileFormat())),
        status,
        shownPath(file),
        partitionValues,
        metadata(file));
  }

  private Map<String, Object> metadata(FileStatusWithMetadata file) {
    FileFormat format = relation.fileFormat();
    return DeltaFormat.is(format) || IcebergFormat.is(format)
        ? file.metadata()
        : Map$.MODULE$.empty();
  }

  private String shownPath(FileStatusWithMetadata file) {
    IcebergTask task = IcebergTask.of(metadata(file));
    return task == null ? FileSplit.url(file.fileStatus()) : task.location();
  }
}
