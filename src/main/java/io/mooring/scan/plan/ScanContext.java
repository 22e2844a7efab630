package io.mooring.scan.plan;

import io.mooring.conf.MooringConf;
import io.mooring.gpu.GpuRuntime;
import io.mooring.gpu.TaskGpu;
import io.mooring.pushdown.Pushdown;
import io.mooring.scan.prune.KeyRange;
import io.mooring.scan.prune.PruningFilters;
import io.mooring.scan.schema.ScanColumns;
import io.mooring.session.ReadSettings;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.util.SerializableConfiguration;

/**
 * What the tasks of a scan share: columns, pushed-down operators, and settings. Immutable; travels
 * to executors.
 *
 * @param files the data columns as files have them
 * @param hadoop broadcast, because it has a thousand entries that every task would read again
 */
public record ScanContext(
    ScanColumns columns,
    FileSchema files,
    Pushdown pushdown,
    ReadSettings settings,
    PruningFilters pruning,
    Broadcast<SerializableConfiguration> hadoop)
    implements Serializable {
  public Configuration configuration() {
    return hadoop.value().value();
  }

  public ConstantColumns constants() {
    return new ConstantColumns(columns);
  }

  /**
   * The same scan without row groups and pages in which no value of a column is in its range.
   *
   * @param ranges by the ordinals of columns that the scan puts out
   */
  public ScanContext prunedBy(Map<Integer, KeyRange> ranges) {
    List<Filter> filters = pruning.enabled() ? filters(ranges) : List.of();
    return filters.isEmpty()
        ? this
        : new ScanContext(columns, files, pushdown, settings, pruning.with(filters), hadoop);
  }

  private List<Filter> filters(Map<Integer, KeyRange> ranges) {
    return ranges.entrySet().stream()
        .flatMap(range -> filter(range.getKey(), range.getValue()).stream())
        .toList();
  }

  private Optional<Filter> filter(int ordinal, KeyRange range) {
    StructField column = pushdown.output().fields()[ordinal];
    return files
        .name(columns.data(), column.name())
        .flatMap(name -> range.filter(name, column.dataType()));
  }

  /** The GPUs of this process, which are started where they are not yet. */
  public GpuRuntime gpu() {
    return GpuRuntime.currentOrStart(() -> MooringConf.from(settings.mooring()));
  }

  /** The GPU of the task on this thread. */
  public static TaskGpu ofTask(GpuRuntime gpu) {
    TaskContext task = TaskContext.get();
    return gpu.ofTask(task == null ? -1 : task.taskAttemptId());
  }
}
