package io.mooring.scan.plan;

import io.mooring.conf.MooringConf;
import io.mooring.gpu.GpuRuntime;
import io.mooring.gpu.TaskGpu;
import io.mooring.pushdown.Pushdown;
import io.mooring.scan.prune.ColumnKeys;
import io.mooring.scan.prune.KeyRanges;
import io.mooring.scan.prune.PartitionKeys;
import io.mooring.scan.prune.PruningFilters;
import io.mooring.scan.schema.ScanColumns;
import io.mooring.scan.split.FileSplit;
import io.mooring.session.ReadSettings;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.util.SerializableConfiguration;

/**
 * Columns, pushed-down operators and settings of a scan, shared by its tasks. Immutable; sent to
 * executors.
 *
 * @param files the data columns as files have them
 * @param hadoop shared with scans of an equal configuration
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
   * The same scan without files, row groups and pages in which no value of a column is in its
   * ranges.
   *
   * @param ranges by the ordinals of columns that the scan puts out
   */
  public ScanContext prunedBy(Map<Integer, KeyRanges> ranges) {
    if (!pruning.enabled() || ranges.isEmpty()) {
      return this;
    }
    List<ColumnKeys> inFiles = new ArrayList<>();
    Map<Integer, KeyRanges> folders = new TreeMap<>();
    ranges.forEach(
        (ordinal, keys) -> {
          StructField column = pushdown.output().fields()[ordinal];
          int folder = List.of(columns.partition().fieldNames()).indexOf(column.name());
          if (folder < 0) {
            files
                .name(columns.data(), column.name())
                .map(name -> ColumnKeys.of(name, column.dataType(), keys))
                .ifPresent(inFiles::add);
          } else {
            folders.put(folder, keys);
          }
        });
    return with(pruning.with(inFiles, new PartitionKeys(folders, columns.partition())));
  }

  /**
   * The same scan without row groups and pages in which no row passes some predicates.
   *
   * @param predicates on columns that the scan puts out, which every row passes that leaves the
   *     stage above
   */
  public ScanContext prunedBy(List<Predicate> predicates) {
    return pruning.enabled() && !predicates.isEmpty()
        ? with(pruning.with(predicates, columns.data(), files.columns()))
        : this;
  }

  private ScanContext with(PruningFilters filters) {
    return new ScanContext(columns, files, pushdown, settings, filters, hadoop);
  }

  /** Whether the keys of joins leave a split in. */
  public boolean mayMatch(FileSplit split) {
    return pruning.mayMatch(split.partitionValues());
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
