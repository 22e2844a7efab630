package io.mooring.scan.split;

import io.mooring.parquet.source.ParquetFile;
import java.io.IOException;
import java.io.Serializable;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.spark.paths.SparkPath;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import scala.collection.immutable.Map;
import scala.collection.immutable.Map$;

/**
 * A range of one file that belongs to one task. Immutable.
 *
 * @param file as the file listing gives it
 * @param shownPath its path as a URL, as Spark's functions and errors show it
 * @param partitionValues the values of the partition columns that are read, in their order
 * @param hosts where the range is stored, if the file system says
 * @param metadata what a table format says of the file, by keys of its own
 * @param blocks of the whole file, as long as it is not divided among tasks; they stay with the
 *     driver
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record FileSplit(
    ParquetFile file,
    String shownPath,
    long start,
    long length,
    InternalRow partitionValues,
    String[] hosts,
    Map<String, Object> metadata,
    BlockLocation[] blocks)
    implements Serializable {
  private static final BlockLocation[] NO_BLOCKS = {};

  /** A split without metadata of a table format. */
  public FileSplit(
      ParquetFile file,
      String shownPath,
      long start,
      long length,
      InternalRow partitionValues,
      String[] hosts) {
    this(file, shownPath, start, length, partitionValues, hosts, Map$.MODULE$.empty(), NO_BLOCKS);
  }

  /**
   * All of a file that is listed.
   *
   * @param listed by a file system, or by the log of a table
   */
  static FileSplit whole(
      ParquetFile file,
      FileStatus listed,
      String shownPath,
      InternalRow partitionValues,
      Map<String, Object> metadata) {
    BlockLocation[] blocks = blocks(listed);
    return new FileSplit(
        file,
        shownPath,
        0,
        file.length(),
        partitionValues,
        hosts(blocks, 0, file.length()),
        metadata,
        blocks);
  }

  private static BlockLocation[] blocks(FileStatus status) {
    return status instanceof LocatedFileStatus located && located.getBlockLocations() != null
        ? located.getBlockLocations()
        : NO_BLOCKS;
  }

  /** The hosts of the block that has most bytes of a range, as Spark takes them. */
  private static String[] hosts(BlockLocation[] blocks, long start, long length) {
    BlockLocation largest = null;
    long most = 0;
    for (BlockLocation block : blocks) {
      long end = Math.min(start + length, block.getOffset() + block.getLength());
      long bytes = end - Math.max(start, block.getOffset());
      if (bytes > most) {
        largest = block;
        most = bytes;
      }
    }
    try {
      return largest == null ? new String[0] : largest.getHosts();
    } catch (IOException e) {
      // Locality is a hint: a task without it reads the same.
      return new String[0];
    }
  }

  /** A file's path as a URL, as Spark shows it. */
  static String url(FileStatus file) {
    return SparkPath.fromPath(file.getPath()).urlEncoded();
  }

  /** The file's path as the file listing gives it. */
  public String path() {
    return file.path();
  }

  /** Bytes of the whole file. */
  public long fileLength() {
    return file.length();
  }

  /** Whether the file is on no machine of the cluster that is known. */
  boolean isRemote() {
    return !path().startsWith("file:") && Arrays.stream(hosts).allMatch("localhost"::equals);
  }

  /** The same range with other values of partition columns. */
  public FileSplit withPartitionValues(InternalRow values) {
    return new FileSplit(file, shownPath, start, length, values, hosts, metadata, blocks);
  }

  /** The same file and values, another range, with the hosts of that range where they are known. */
  public FileSplit withRange(long newStart, long newLength) {
    String[] newHosts = blocks.length == 0 ? hosts : hosts(blocks, newStart, newLength);
    return new FileSplit(
        file, shownPath, newStart, newLength, partitionValues, newHosts, metadata, NO_BLOCKS);
  }

  /** The same as Spark's readers take it. */
  public PartitionedFile partitionedFile() {
    // By reflection, because later Sparks have added parameters behind these.
    var constructor = PartitionedFile.class.getConstructors()[0];
    Object[] known = {
      partitionValues,
      SparkPath.fromUrlString(shownPath),
      start,
      length,
      hosts,
      file.modificationTime(),
      file.length(),
      metadata
    };
    try {
      return (PartitionedFile)
          constructor.newInstance(Arrays.copyOf(known, constructor.getParameterCount()));
    } catch (InstantiationException | IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException("This Spark's PartitionedFile is not known", e);
    }
  }
}
