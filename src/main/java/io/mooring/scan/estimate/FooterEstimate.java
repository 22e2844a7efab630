package io.mooring.scan.estimate;

import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.footer.FooterCache;
import io.mooring.parquet.footer.UnreadableOnGpuException;
import io.mooring.parquet.source.IdleStreams;
import io.mooring.scan.split.ColumnsInFiles;
import io.mooring.scan.split.FileListing;
import io.mooring.scan.split.FileSplit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.schema.Type;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.parquet.ParquetUtils;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Estimates of the number of a relation's rows, and of distinct values of its columns, by the
 * footer of its largest file. Used on the driver. Immutable.
 *
 * @param columns of the table
 * @param inFiles the same columns by the names, or with the field ids, that files have
 * @param partitioned the columns that files have as folders
 * @param files the number of files
 * @param footer of the largest file
 * @param perFileByte bytes of all files for each byte of the largest
 */
public record FooterEstimate(
    StructType columns,
    StructType inFiles,
    StructType partitioned,
    int files,
    Footer footer,
    double perFileByte) {
  private static final Logger LOG = LoggerFactory.getLogger(FooterEstimate.class);

  /**
   * How many times values occur in some rows if further rows have no others. Where fewer do, as of
   * keys that are near each other in a file, further rows are taken to have as many new ones.
   */
  private static final double REPEATS = 100;

  /**
   * Reads the footer of the largest file, unless it is cached; null where that fails, or without
   * files.
   *
   * @param predicates what files are pruned by
   */
  public static @Nullable FooterEstimate of(HadoopFsRelation relation, List<Predicate> predicates) {
    try {
      List<FileSplit> files = new FileListing(relation, new StructType()).files(predicates);
      return files.isEmpty() ? null : of(relation, files, largest(files));
    } catch (IOException
        | UnreadableOnGpuException
        | RuntimeException
        | LinkageError
        | OutOfMemoryError e) {
      // A damaged file can claim to have a footer as large as itself.
      LOG.debug(
          "No footer was found to estimate the rows of {}", relation.location().rootPaths(), e);
      return null;
    }
  }

  private static FileSplit largest(List<FileSplit> files) {
    return files.stream()
        .max(Comparator.comparingLong(FileSplit::fileLength).thenComparing(FileSplit::path))
        .orElseThrow();
  }

  private static FooterEstimate of(
      HadoopFsRelation relation, List<FileSplit> files, FileSplit largest)
      throws IOException, UnreadableOnGpuException {
    Configuration conf =
        relation.sparkSession().sessionState().newHadoopConfWithOptions(relation.options());
    double bytes = files.stream().mapToDouble(FileSplit::fileLength).sum();
    Footer footer = FooterCache.shared().footer(largest.file(), conf);
    IdleStreams.close(largest.file());
    return new FooterEstimate(
        relation.dataSchema(),
        ColumnsInFiles.of(relation, relation.dataSchema()),
        relation.partitionSchema(),
        files.size(),
        footer,
        bytes / largest.fileLength());
  }

  /** The rows of all files, if they have as many for each byte as the largest. */
  public double rows() {
    double rows = footer.rowGroups().stream().mapToDouble(BlockMetaData::getRowCount).sum();
    return rows * perFileByte;
  }

  /**
   * The part of the largest file's column chunks that some columns take, between 0 and 1; 1 where
   * that is not known. Partition columns take nothing.
   */
  public double share(Collection<String> read) {
    try {
      Set<String> names =
          read.stream()
              .flatMap(column -> fields(column).stream())
              .map(Type::getName)
              .collect(Collectors.toSet());
      double all = 0;
      double some = 0;
      for (BlockMetaData rowGroup : footer.rowGroups()) {
        for (ColumnChunkMetaData chunk : rowGroup.getColumns()) {
          all += chunk.getTotalSize();
          some += names.contains(chunk.getPath().toArray()[0]) ? chunk.getTotalSize() : 0;
        }
      }
      return all > 0 ? some / all : 1;
    } catch (RuntimeException e) {
      LOG.debug("The footer gives no sizes of columns", e);
      return 1;
    }
  }

  /** The order of magnitude of distinct values of a column; empty where nothing is known. */
  public OptionalDouble distinct(String column) {
    if (Arrays.asList(partitioned.fieldNames()).contains(column)) {
      return OptionalDouble.of(files);
    }
    return ofChunks(
            column,
            chunks -> chunks.stream().allMatch(ChunkValues::isKnown) ? distinct(chunks) : null)
        .map(OptionalDouble::of)
        .orElseGet(OptionalDouble::empty);
  }

  /**
   * The most distinct values of a column of integers, decimals or dates, if each file has as many
   * for each byte as lie between the least and the greatest of the largest; empty for others.
   */
  public OptionalDouble most(String column) {
    return ofChunks(
            column,
            chunks ->
                chunks.stream().allMatch(ChunkValues::isInteger)
                    ? range(chunks) * perFileByte
                    : null)
        .map(OptionalDouble::of)
        .orElseGet(OptionalDouble::empty);
  }

  /** The times of a column in the largest file; null where nothing is known, or of other types. */
  public @Nullable TimeRange times(String column) {
    return ofChunks(column, TimeRange::of).orElse(null);
  }

  /** An estimate by the chunks of a column, of which there is one at least. */
  private <T> Optional<T> ofChunks(
      String column, Function<List<ChunkValues>, @Nullable T> estimate) {
    try {
      List<ChunkValues> chunks = chunks(column);
      return chunks.isEmpty() ? Optional.empty() : Optional.ofNullable(estimate.apply(chunks));
    } catch (RuntimeException e) {
      // A footer can parse and make no sense, or its statistics be encrypted.
      LOG.debug("The footer gives no estimate of the values of {}", column, e);
      return Optional.empty();
    }
  }

  /** The chunks of a column that has no parts; none where the file has no such column. */
  private List<ChunkValues> chunks(String column) {
    List<Type> fields = fields(column).stream().filter(Type::isPrimitive).toList();
    List<ChunkValues> chunks = new ArrayList<>();
    if (fields.size() == 1) {
      ColumnPath path = ColumnPath.get(fields.get(0).getName());
      for (BlockMetaData rowGroup : footer.rowGroups()) {
        for (ColumnChunkMetaData chunk : rowGroup.getColumns()) {
          if (chunk.getPath().equals(path)) {
            chunks.add(new ChunkValues(chunk));
          }
        }
      }
    }
    return chunks;
  }

  /** The file's fields of a column: one, unless the file has none or several that it may be. */
  private List<Type> fields(String column) {
    for (int i = 0; i < columns.length(); i++) {
      if (columns.fieldNames()[i].equalsIgnoreCase(column)) {
        StructField inFile = inFiles.fields()[i];
        return footer.schema().getFields().stream().filter(field -> isOf(field, inFile)).toList();
      }
    }
    return List.of();
  }

  private boolean isOf(Type field, StructField column) {
    // Spark has ids of its own, by which it finds columns only where it is told to.
    return inFiles != columns && ParquetUtils.hasFieldId(column)
        ? field.getId() != null && field.getId().intValue() == ParquetUtils.getFieldId(column)
        : field.getName().equalsIgnoreCase(column.name());
  }

  private double distinct(List<ChunkValues> chunks) {
    if (chunks.stream().allMatch(it -> repeats(it.distinct(), it.chunk().getValueCount()))) {
      return chunks.stream().mapToDouble(ChunkValues::distinct).max().orElseThrow();
    }
    double sum = chunks.stream().mapToDouble(ChunkValues::distinct).sum();
    double inFile = Math.min(sum, range(chunks));
    double rows = chunks.stream().mapToDouble(it -> it.chunk().getValueCount()).sum();
    return repeats(inFile, rows) ? inFile : inFile * perFileByte;
  }

  private static boolean repeats(double values, double rows) {
    return values * REPEATS <= rows;
  }

  /** How many integers or dates there are between the least and the greatest of a file. */
  private static double range(List<ChunkValues> chunks) {
    if (!chunks.stream().allMatch(ChunkValues::isInteger)) {
      return Double.POSITIVE_INFINITY;
    }
    double min = chunks.stream().mapToDouble(ChunkValues::min).min().orElseThrow();
    double max = chunks.stream().mapToDouble(ChunkValues::max).max().orElseThrow();
    return max - min + 1;
  }
}
