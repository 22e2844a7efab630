package io.mooring.scan.split;

import io.mooring.catalyst.ScalaLists;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.datasources.FileIndex;
import org.apache.spark.sql.execution.datasources.PartitionDirectory;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A file index that lists only the partitions that some conditions leave, so that Spark prunes
 * partitions for Mooring's scan by any expression, as it does for its own. Equal to another of the
 * same files whose conditions name the same columns.
 */
public final class PartitionFileIndex extends FilteredFileIndex {
  private final List<Expression> conditions;

  private PartitionFileIndex(FileIndex files, List<Expression> conditions) {
    super(files);
    this.conditions = conditions;
  }

  /**
   * The same index when there is no condition.
   *
   * @param conditions on partition columns
   */
  public static FileIndex of(FileIndex files, List<Expression> conditions) {
    return conditions.isEmpty() ? files : new PartitionFileIndex(files, byName(conditions));
  }

  @Override
  List<Expression> partitionConditions() {
    return conditions;
  }

  @Override
  public Seq<PartitionDirectory> listFiles(
      Seq<Expression> partitionFilters, Seq<Expression> dataFilters) {
    List<Expression> all = new ArrayList<>(conditions);
    all.addAll(CollectionConverters.asJava(partitionFilters));
    return files().listFiles(ScalaLists.seq(all), dataFilters);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PartitionFileIndex that
        && files().equals(that.files())
        && conditions.equals(that.conditions);
  }

  @Override
  public int hashCode() {
    return files().hashCode();
  }
}
