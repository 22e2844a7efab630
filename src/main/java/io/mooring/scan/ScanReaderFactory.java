package io.mooring.scan;

import io.mooring.conf.MooringConf;
import io.mooring.gpu.GpuRuntime;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.pushdown.Pushdown;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.util.SerializableConfiguration;
import scala.jdk.javaapi.CollectionConverters;

/** Makes the readers of a scan's tasks; travels to the executors. */
record ScanReaderFactory(
    SparkFileReader spark,
    StructType dataColumns,
    FileSchema files,
    StructType partitionColumns,
    Pushdown pushdown,
    ReadSettings settings,
    PruningFilters pruning,
    Broadcast<SerializableConfiguration> hadoop,
    boolean columnar)
    implements PartitionReaderFactory {

  static ScanReaderFactory create(MooringScan scan) {
    SparkSession session = scan.relation().sparkSession();
    Map<String, String> options =
        new HashMap<>(CollectionConverters.asJava(scan.relation().options()));
    ReadSettings settings = ReadSettings.of(session, options);
    return new ScanReaderFactory(
        SparkFileReader.create(scan, settings),
        scan.dataColumns(),
        FileSchema.of(scan),
        scan.partitionColumns(),
        scan.pushdown(),
        settings,
        PruningFilters.of(scan),
        hadoop(session, scan),
        SparkFileReader.returnsBatches(scan));
  }

  /** Broadcast, because it has a thousand entries that every task would read again. */
  private static Broadcast<SerializableConfiguration> hadoop(
      SparkSession session, MooringScan scan) {
    var conf = session.sessionState().newHadoopConfWithOptions(scan.relation().options());
    return JavaSparkContext.fromSparkContext(session.sparkContext())
        .broadcast(new SerializableConfiguration(conf));
  }

  Configuration configuration() {
    return hadoop.value().value();
  }

  /** The columns that are read: of the files, then of their folders. */
  StructType readColumns() {
    return MooringScan.joined(dataColumns, partitionColumns);
  }

  FileConstants constants() {
    return new FileConstants(dataColumns, partitionColumns);
  }

  /**
   * A factory for the same scan that leaves out row groups and pages in which no value of a column
   * is in its range.
   *
   * @param ranges of columns that the scan puts out
   */
  ScanReaderFactory prunedBy(List<KeyRange> ranges) {
    List<Filter> filters =
        pruning.enabled()
            ? ranges.stream().flatMap(range -> filter(range).stream()).toList()
            : List.of();
    return filters.isEmpty()
        ? this
        : new ScanReaderFactory(
            spark,
            dataColumns,
            files,
            partitionColumns,
            pushdown,
            settings,
            pruning.with(filters),
            hadoop,
            columnar);
  }

  private Optional<Filter> filter(KeyRange range) {
    StructField column = pushdown.output().fields()[range.column()];
    return files
        .name(dataColumns, column.name())
        .flatMap(name -> range.filter(name, column.dataType()));
  }

  /** What a task gives Spark for what it reads. */
  BatchOutput output(ScanCounters counters) {
    if (pushdown.isNone()) {
      return new PlainOutput(this, counters);
    }
    return pushdown.aggregate() == null
        ? new FilteredOutput(this, counters)
        : new AggregatedOutput(this, counters);
  }

  @Override
  public boolean supportColumnarReads(InputPartition partition) {
    return columnar;
  }

  @Override
  public PartitionReader<ColumnarBatch> createColumnarReader(InputPartition partition) {
    if (partition instanceof LeftPartition left) {
      // Counted for the stage that has left it.
      return reader(left.splits(), left.counters(), false);
    }
    return reader(((ScanPartition) partition).splits(), new ScanCounters(), true);
  }

  private BatchReader reader(List<FileSplit> splits, ScanCounters counters, boolean reports) {
    GpuRuntime gpu = gpu();
    ScanSteps steps = ScanSteps.plan(this, splits, gpu, new UnitCoalescer(this), counters);
    return new BatchReader(this, steps, gpu.ofTask(task()), counters, reports);
  }

  /** The GPUs of this process, which are started where they are not yet. */
  GpuRuntime gpu() {
    return GpuRuntime.currentOrStart(() -> MooringConf.from(settings.mooring()));
  }

  /** The number of the task on this thread. */
  static long task() {
    TaskContext task = TaskContext.get();
    return task == null ? -1 : task.taskAttemptId();
  }

  /** Rows only where Spark has no batches for the schema: then everything is Spark's to read. */
  @Override
  public PartitionReader<InternalRow> createReader(InputPartition partition) {
    return new RowReader(spark, ((ScanPartition) partition).splits());
  }
}
