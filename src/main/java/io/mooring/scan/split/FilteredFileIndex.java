package io.mooring.scan.split;

import io.mooring.catalyst.ScalaLists;
import io.mooring.catalyst.TreeNodes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.datasources.FileIndex;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.PartitionDirectory;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** A file index that lists those files of another that some conditions leave. Immutable. */
public abstract class FilteredFileIndex implements WrappedFileIndex {
  private final FileIndex files;

  /**
   * @param files the index of all files
   */
  FilteredFileIndex(FileIndex files) {
    this.files = files;
  }

  @Override
  public final FileIndex files() {
    return files;
  }

  /** The conditions that choose partitions, by the names of their columns. */
  abstract List<Expression> partitionConditions();

  /** The partitions that an index lists, for EXPLAIN; empty for all of them. */
  public static String describe(FileIndex index) {
    List<Expression> conditions =
        index instanceof FilteredFileIndex filtered ? filtered.partitionConditions() : List.of();
    return conditions.isEmpty()
        ? ""
        : conditions.stream()
            .map(Expression::sql)
            .collect(Collectors.joining(", ", " partitions where [", "]"));
  }

  /** The conditions with expression ids that depend on the names of columns alone. */
  static List<Expression> byName(List<Expression> conditions) {
    return conditions.stream().map(FilteredFileIndex::byName).toList();
  }

  static Expression byName(Expression condition) {
    return TreeNodes.replaced(
        condition,
        node ->
            node instanceof AttributeReference column
                ? column.withExprId(idOf(column.name())).withQualifier(ScalaLists.empty())
                : null);
  }

  /**
   * An expression id that depends on the name alone. Spark's own ids differ between two uses of a
   * table. Its canonical forms have no names, and order operands by the hash codes of ids, which
   * are those of their numbers.
   */
  private static ExprId idOf(String name) {
    return new ExprId(
        name.hashCode(), UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * Conditions by what they mean: equal for others with the operands or the conditions in another
   * order, as for the filters of Spark's own scans.
   *
   * @param byName conditions whose columns differ by their names alone
   */
  static Set<Expression> canonical(List<Expression> byName) {
    return byName.stream().map(Expression::canonicalized).collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public StructType partitionSchema() {
    return files.partitionSchema();
  }

  /**
   * A file index that lists only the partitions that some conditions leave, so that Spark prunes
   * partitions for Mooring's scan by any expression, as it does for its own. Equal to another of
   * the same files whose conditions are the same but for their order.
   */
  public static final class PartitionFileIndex extends FilteredFileIndex {
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
          && canonical(conditions).equals(canonical(that.conditions));
    }

    @Override
    public int hashCode() {
      return files().hashCode();
    }
  }

  /**
   * The file index of a table format, which skips files by the conditions of a query. It is asked
   * with the very conditions by which it listed files when the query was planned, so that it lists
   * them only once. Equal to another of the same files whose conditions are the same but for their
   * order.
   */
  public static final class TableFormatFileIndex extends FilteredFileIndex {
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

    /**
     * A relation that lists the files that were chosen when the query was planned.
     *
     * @param conditions by which they were
     */
    public static HadoopFsRelation asPrepared(
        HadoopFsRelation relation, List<Expression> conditions) {
      return relation.copy(
          new TableFormatFileIndex(relation.location(), List.of(), conditions),
          relation.partitionSchema(),
          relation.dataSchema(),
          relation.bucketSpec(),
          relation.fileFormat(),
          relation.options(),
          relation.sparkSession());
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
          && canonical(partitionConditions()).equals(canonical(that.partitionConditions()))
          && canonical(byName(onData)).equals(canonical(byName(that.onData)));
    }

    @Override
    public int hashCode() {
      return files().hashCode();
    }
  }
}
