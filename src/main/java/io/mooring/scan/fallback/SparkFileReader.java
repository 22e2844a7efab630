package io.mooring.scan.fallback;

import io.mooring.scan.delta.DeletionVector;
import io.mooring.scan.iceberg.IcebergTask;
import io.mooring.scan.split.FileSplit;
import io.mooring.session.ReadSettings;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.Serializable;
import java.util.Iterator;
import java.util.Objects;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.spark.TaskKilledException;
import org.apache.spark.rdd.InputFileBlockHolder;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Function1;

/**
 * Spark's own Parquet reader under our table: made on the driver, used on executors. Its values are
 * batches where {@link SparkReaderBuilder#returnsBatches} says so, else rows.
 */
public final class SparkFileReader implements Serializable {
  private static final Logger LOG = LoggerFactory.getLogger(SparkFileReader.class);

  private final Function1<PartitionedFile, scala.collection.Iterator<InternalRow>> read;
  private final @Nullable Function1<PartitionedFile, scala.collection.Iterator<InternalRow>>
      readAsSpark;
  private final @Nullable MarkedRowsReader marked;
  private final @Nullable StructType appended;
  private final ReadSettings settings;

  private SparkFileReader(
      Function1<PartitionedFile, scala.collection.Iterator<InternalRow>> read,
      @Nullable Function1<PartitionedFile, scala.collection.Iterator<InternalRow>> readAsSpark,
      @Nullable MarkedRowsReader marked,
      @Nullable StructType appended,
      ReadSettings settings) {
    this.read = read;
    this.readAsSpark = readAsSpark;
    this.marked = marked;
    this.appended = appended;
    this.settings = settings;
  }

  public static SparkFileReader create(SparkReaderBuilder builder, ReadSettings settings) {
    HadoopFsRelation relation = builder.relation();
    ParquetFileFormat format = (ParquetFileFormat) relation.fileFormat();
    return new SparkFileReader(
        builder.build(format, relation.dataSchema(), builder.columns().data()),
        builder.buildAsSpark(format),
        builder.hasDeletedRows() ? MarkedRowsReader.create(builder) : null,
        builder.readsPartitionValues() ? null : builder.columns().partition(),
        settings);
  }

  /**
   * The batches or rows of a split; errors are Spark's and name the file. A caller that stops
   * before the last one calls {@link #close}.
   */
  public Iterator<Object> read(FileSplit split) {
    InputFileBlockHolder.set(split.shownPath(), split.start(), split.length());
    return new GuardedIterator(split);
  }

  /** Closes the file that an iterator of {@link #read} has open, if any. */
  public static void close(Iterator<?> values) {
    if (values instanceof GuardedIterator guarded) {
      guarded.close();
    }
  }

  /** Opens the file with its first value, and turns errors into what the settings ask for. */
  private final class GuardedIterator implements Iterator<Object> {
    private final FileSplit split;
    private scala.collection.@Nullable Iterator<?> values;
    private boolean over;

    GuardedIterator(FileSplit split) {
      this.split = split;
    }

    @Override
    public boolean hasNext() {
      if (over) {
        return false;
      }
      try {
        over = !(values == null ? hasFirst() : values.hasNext());
        return !over;
      } catch (Throwable e) {
        close();
        skipOrThrow(e);
        return false;
      }
    }

    /**
     * Opens the file. Some filters rule out rows that they should not, so they are not used at
     * first; but a file may have row groups that only they keep Spark from failing at.
     */
    private boolean hasFirst() {
      try {
        values = open(read);
        return values.hasNext();
      } catch (Exception e) {
        if (readAsSpark == null || isMarked() || e instanceof TaskKilledException) {
          throw e;
        }
        close();
        over = false;
        values = open(readAsSpark);
        return values.hasNext();
      }
    }

    private scala.collection.Iterator<?> open(
        Function1<PartitionedFile, scala.collection.Iterator<InternalRow>> reader) {
      if (appended == null) {
        return open(split.partitionedFile(), reader);
      }
      var batches = open(split.withPartitionValues(InternalRow.empty()).partitionedFile(), reader);
      return new MappedBatches(
          batches, new PartitionValueColumns(appended, split.partitionValues())::behind);
    }

    private scala.collection.Iterator<?> open(
        PartitionedFile file,
        Function1<PartitionedFile, scala.collection.Iterator<InternalRow>> reader) {
      return isMarked() ? Objects.requireNonNull(marked).read(file) : reader.apply(file);
    }

    private boolean isMarked() {
      return marked != null && DeletionVector.isOf(split.metadata());
    }

    @Override
    public Object next() {
      return Objects.requireNonNull(values).next();
    }

    void close() {
      over = true;
      if (values instanceof Closeable open) {
        try {
          open.close();
        } catch (IOException e) {
          LOG.warn("{} could not be closed", split.path(), e);
        }
      }
      values = null;
    }

    /**
     * Treats an error as Spark's file readers do: logs what is to be ignored, and throws the rest.
     */
    private void skipOrThrow(Throwable e) {
      if (e instanceof Error error) {
        throw error;
      } else if (e instanceof FileNotFoundException && settings.ignoreMissingFiles()) {
        LOG.warn("Skipped missing file {}", split.path(), e);
      } else if (mayBeCorrupt(e) && settings.ignoreCorruptFiles()) {
        LOG.warn("Skipped the rest of the corrupt file {}", split.path(), e);
      } else {
        SparkFileReader.<RuntimeException>sneak(named(e));
      }
    }

    private boolean mayBeCorrupt(Throwable e) {
      return (e instanceof RuntimeException || e instanceof IOException)
          && !(e instanceof FileNotFoundException)
          && !(e instanceof AccessControlException)
          && !(e instanceof BlockMissingException);
    }

    private Throwable named(Throwable e) {
      // Iceberg names the file in its log.
      boolean named = e instanceof TaskKilledException || IcebergTask.of(split.metadata()) != null;
      return named ? e : ReadErrors.of(e, split.shownPath());
    }
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> void sneak(Throwable e) throws E {
    throw (E) e;
  }
}
