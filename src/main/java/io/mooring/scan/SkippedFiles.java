package io.mooring.scan;

import io.mooring.catalyst.ScalaLists;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.datasources.FileIndex;
import org.apache.spark.sql.execution.datasources.PartitionDirectory;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;

/**
 * A file index of a table format, asked for the files that hold rows for some conditions with these
 * as they stand in the query: it has listed files for just them before, when the query was planned.
 * Equal to another whose conditions name the same columns.
 */
public final class SkippedFiles implements FileIndex {
  private final FileIndex files;
  private final List<Expression> onPartitions;
  private final List<Expression> onData;

  /**
   * @param onPartitions conditions on nothing but partition columns
   * @param onData the others that can be told of a file
   */
  public SkippedFiles(FileIndex files, List<Expression> onPartitions, List<Expression> onData) {
    this.files = files;
    this.onPartitions = List.copyOf(onPartitions);
    this.onData = List.copyOf(onData);
  }

  /** The conditions that choose partitions, by the names of their columns. */
  List<Expression> partitions() {
    return onPartitions.stream().map(PrunedFiles::byName).toList();
  }

  private List<Expression> data() {
    return onData.stream().map(PrunedFiles::byName).toList();
  }

  @Override
  public Seq<PartitionDirectory> listFiles(
      Seq<Expression> partitionFilters, Seq<Expression> dataFilters) {
    return files.listFiles(ScalaLists.seq(onPartitions), ScalaLists.seq(onData));
  }

  @Override
  public Seq<Path> rootPaths() {
    return files.rootPaths();
  }

  @Override
  public String[] inputFiles() {
    return files.inputFiles();
  }

  @Override
  public void refresh() {
    files.refresh();
  }

  @Override
  public long sizeInBytes() {
    return files.sizeInBytes();
  }

  @Override
  public StructType partitionSchema() {
    return files.partitionSchema();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SkippedFiles that
        && files.equals(that.files)
        && partitions().equals(that.partitions())
        && data().equals(that.data());
  }

  @Override
  public int hashCode() {
    return files.hashCode();
  }
}
