package io.mooring.scan.split;

import io.mooring.catalyst.ScalaLists;
import io.mooring.catalyst.TreeNodes;
import io.mooring.parquet.source.ParquetFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.fs.FileStatus;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.InterpretedPredicate;
import org.apache.spark.sql.catalyst.expressions.Literal$;
import org.apache.spark.sql.catalyst.expressions.Predicate$;
import org.apache.spark.sql.execution.datasources.FileFormat;
import org.apache.spark.sql.execution.datasources.FileIndex;
import org.apache.spark.sql.execution.datasources.FileStatusWithMetadata;
import org.apache.spark.sql.execution.datasources.PartitionDirectory;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.types.StructType;
import scala.Function1;
import scala.Option;
import scala.collection.immutable.Seq;

/**
 * A file index that lists each file as a partition of its own. It has more partition columns than
 * the other index: fields of {@code _metadata} that have one value in all rows of a file.
 *
 * @param files the other index
 * @param format of the files, which knows the values
 * @param fields the fields of {@code _metadata}, as the format names them
 * @param partitionSchema the columns of the other index, then one for each field
 */
public record FilesWithMetadata(
    FileIndex files, FileFormat format, List<String> fields, StructType partitionSchema)
    implements WrappedFileIndex {

  /** The index that lists the files, without the metadata columns. */
  public static FileIndex listing(FileIndex index) {
    return index instanceof FilesWithMetadata with ? with.files : index;
  }

  @Override
  public Seq<PartitionDirectory> listFiles(
      Seq<Expression> partitionFilters, Seq<Expression> dataFilters) {
    List<Expression> ofFolders = new ArrayList<>();
    List<Expression> ofFiles = new ArrayList<>();
    for (Expression filter : ScalaLists.<Expression>list(partitionFilters)) {
      (isOfFolders(filter) ? ofFolders : ofFiles).add(filter);
    }
    Seq<PartitionDirectory> folders = files.listFiles(ScalaLists.seq(ofFolders), dataFilters);
    return ScalaLists.seq(each(folders).stream().filter(passes(ofFiles)).toList());
  }

  private boolean isOfFolders(Expression filter) {
    Set<String> names = Set.of(files.partitionSchema().fieldNames());
    return ScalaLists.<Attribute>list(filter.references().toSeq()).stream()
        .allMatch(column -> names.contains(column.name()));
  }

  private Predicate<PartitionDirectory> passes(List<Expression> filters) {
    List<InterpretedPredicate> predicates =
        filters.stream().map(this::bound).map(Predicate$.MODULE$::createInterpreted).toList();
    return file -> predicates.stream().allMatch(predicate -> predicate.eval(file.values()));
  }

  private Expression bound(Expression expression) {
    if (expression instanceof Attribute column) {
      int at = partitionSchema.fieldIndex(column.name());
      return new BoundReference(at, column.dataType(), column.nullable());
    }
    return TreeNodes.mapChildren(expression, this::bound);
  }

  private List<PartitionDirectory> each(Seq<PartitionDirectory> folders) {
    List<PartitionDirectory> all = new ArrayList<>();
    for (PartitionDirectory directory : ScalaLists.<PartitionDirectory>list(folders)) {
      for (FileStatusWithMetadata file :
          ScalaLists.<FileStatusWithMetadata>list(directory.files())) {
        InternalRow values = values(directory.values(), file);
        all.add(new PartitionDirectory(values, ScalaLists.seq(List.of(file))));
      }
    }
    return all;
  }

  private InternalRow values(InternalRow partition, FileStatusWithMetadata listed) {
    int width = files.partitionSchema().length();
    Object[] values = new Object[width + fields.size()];
    for (int i = 0; i < width; i++) {
      values[i] = partition.get(i, files.partitionSchema().fields()[i].dataType());
    }
    FileStatus status = listed.fileStatus();
    PartitionedFile file =
        FileSplit.whole(
                ParquetFile.of(status),
                status,
                FileSplit.url(status),
                InternalRow.empty(),
                listed.metadata())
            .partitionedFile();
    for (int i = 0; i < fields.size(); i++) {
      values[width + i] = value(fields.get(i), file);
    }
    return new GenericInternalRow(values);
  }

  /** The method of {@code FileFormat} for this takes other parameters in Spark 4.2. */
  private Object value(String field, PartitionedFile file) {
    Option<Function1<PartitionedFile, Object>> extractor =
        format.fileConstantMetadataExtractors().get(field);
    Object value =
        extractor.isDefined()
            ? extractor.get().apply(file)
            : file.otherConstantMetadataColumnValues().getOrElse(field, () -> null);
    return Literal$.MODULE$.apply(value).value();
  }
}
