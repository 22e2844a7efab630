package io.mooring.scan.iceberg;

import static io.mooring.scan.iceberg.IcebergScan.LIBRARY;

import io.mooring.session.ReadSettings;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.datasources.FileFormat;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import scala.Function1;
import scala.collection.Iterator;
import scala.collection.immutable.Map;
import scala.collection.immutable.Map$;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;

/**
 * The format of an Iceberg table's files: Parquet whose columns are known by field ids, read by
 * Iceberg's own reader where the GPU does not read them. Equal to another of the same scan.
 */
public final class IcebergFormat extends ParquetFileFormat {
  private static final long serialVersionUID = 1;

  private final transient IcebergFiles files;

  IcebergFormat(IcebergFiles files) {
    this.files = files;
  }

  /** Whether a format is that of an Iceberg table. */
  public static boolean is(FileFormat format) {
    return format instanceof IcebergFormat;
  }

  /** A format for which {@link #is} holds. */
  public static IcebergFormat of(FileFormat format) {
    return (IcebergFormat) format;
  }

  /** The files that are read. */
  public IcebergFiles files() {
    return files;
  }

  /**
   * Options by which files are read as Iceberg reads them, whatever the session's settings; and
   * what a catalog has set for Hadoop.
   */
  static Map<String, String> options(Object table, SparkSession session) {
    java.util.Map<String, String> options = new HashMap<>();
    Object io = LIBRARY.call(table, "io");
    if (LIBRARY.has(io, "getConf", 0) && LIBRARY.get(io, "getConf") instanceof Configuration own) {
      Configuration sessions = session.sessionState().newHadoopConf();
      own.forEach(entry -> addOther(entry, sessions, options));
    }
    options.put(SQLConf.PARQUET_FIELD_ID_READ_ENABLED().key(), "true");
    options.put(SQLConf.PARQUET_INT96_TIMESTAMP_CONVERSION().key(), "false");
    options.put(ReadSettings.WIDEN_TYPES, "true");
    options.put("datetimeRebaseMode", "CORRECTED");
    options.put("int96RebaseMode", "CORRECTED");
    options.put("ignoreCorruptFiles", "false");
    options.put("ignoreMissingFiles", "false");
    return Map$.MODULE$.from(CollectionConverters.asScala(options));
  }

  private static void addOther(
      java.util.Map.Entry<String, String> entry,
      Configuration sessions,
      java.util.Map<String, String> options) {
    if (!entry.getValue().equals(sessions.getRaw(entry.getKey()))) {
      options.put(entry.getKey(), entry.getValue());
    }
  }

  @Override
  public Function1<PartitionedFile, Iterator<InternalRow>> buildReaderWithPartitionValues(
      SparkSession session,
      StructType dataSchema,
      StructType partitionSchema,
      StructType requiredSchema,
      Seq<Filter> filters,
      Map<String, String> options,
      Configuration hadoop) {
    return new FileReader(
        files.reader(), new StructType(concat(requiredSchema.fields(), partitionSchema.fields())));
  }

  private static StructField[] concat(StructField[] first, StructField[] second) {
    return Stream.of(first, second).flatMap(Arrays::stream).toArray(StructField[]::new);
  }

  /** Batches in the place of rows, as Spark's own formats give them. */
  private static final class FileReader
      extends AbstractFunction1<PartitionedFile, Iterator<InternalRow>>
      implements java.io.Serializable {
    private static final long serialVersionUID = 1;

    private final IcebergReader reader;
    private final StructType columns;

    FileReader(IcebergReader reader, StructType columns) {
      this.reader = reader;
      this.columns = columns;
    }

    @Override
    @SuppressWarnings("unchecked")
    public Iterator<InternalRow> apply(PartitionedFile file) {
      IcebergTask task =
          Objects.requireNonNull(IcebergTask.of(file.otherConstantMetadataColumnValues()));
      Iterator<?> batches = reader.read(task, file.start(), file.length(), columns);
      return (Iterator<InternalRow>) batches;
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof IcebergFormat that && files.equals(that.files);
  }

  @Override
  public int hashCode() {
    return files.hashCode();
  }
}
