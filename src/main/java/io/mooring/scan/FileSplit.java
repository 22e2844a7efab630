package io.mooring.scan;

import io.mooring.parquet.source.ParquetFile;
import java.io.Serializable;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * A stretch of one file for one task.
 *
 * @param path as the file listing gives it
 * @param shownPath the same as a URL, as Spark's functions and errors show it
 * @param partitionValues the values of the partition columns that are read, in their order
 * @param hosts where the stretch is stored, if the file system says
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record FileSplit(
    String path,
    String shownPath,
    long start,
    long length,
    long fileLength,
    long modificationTime,
    InternalRow partitionValues,
    String[] hosts)
    implements Serializable {

  ParquetFile file() {
    return new ParquetFile(path, fileLength, modificationTime);
  }

  /** The same file and values, another stretch. */
  FileSplit withRange(long newStart, long newLength) {
    return new FileSplit(
        path, shownPath, newStart, newLength, fileLength, modificationTime, partitionValues, hosts);
  }
}
