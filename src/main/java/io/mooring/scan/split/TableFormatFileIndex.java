package io.mooring.scan.split;

import io.mooring.catalyst.ScalaLists;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.datasources.FileIndex;
import org.apache.spark.sql.execution.datasources.PartitionDirectory;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;

/**
 * The file index of a table format, which skips files by the conditions of a query. It is asked
 * with the very conditions by which it listed files when the query was planned, so that it lists
 * them only once. Equal to another of the same files whose conditions name the same columns.
 */
public final class TableFormatFileIndex extends FilteredFileIndex {
  private final List<Expression> onPartitions;
  private final List<Expression> onData;

  /**
   * @param onPartitions conditions on nothing but partition columns
   * @param onData the others by which files are skipped
   */
  public TableFormatFileIndex(
      FileIndex files, List<Expression> onPartitions, List<Expression> onData) {
    super(files);
    this.onPartitions = List.copyOf(onPartitions);
    this.onData = List.copyOf(onData);
  }

  @Override
  List<Expression> partitionConditions() {
    return byName(onPartitions);
  }

  @Override
  public Seq<PartitionDirectory> listFiles(
      Seq<Expression> partitionFilters, Seq<Expression> dataFilters) {
    return files().listFiles(ScalaLists.seq(onPartitions), ScalaLists.seq(onData));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TableFormatFileIndex that
        && files().equals(that.files())
        && partitionConditions().equals(that.partitionConditions())
        && byName(onData).equals(byName(that.onData));
  }

  @Override
  public int hashCode() {
    return files().hashCode();
  }
}
