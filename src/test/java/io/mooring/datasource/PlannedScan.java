package io.mooring.datasource;

import io.mooring.parquet.footer.UnreadableOnGpuException;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.scan.plan.FilePlan;
import io.mooring.scan.plan.FilePlanner;
import io.mooring.scan.plan.ScanContext;
import io.mooring.scan.split.FileSplit;
import io.mooring.scan.split.ScanPartition;
import io.mooring.scan.task.ScanWork;
import io.mooring.scan.task.TaskPlanner;
import io.mooring.scan.task.UnitCoalescer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec;
import scala.jdk.javaapi.CollectionConverters;

/**
 * What a query over one table of Mooring would have the GPU read; needs none. Nothing, where Spark
 * knows without reading that there are no rows.
 */
public record PlannedScan(List<FilePlan> plans) {
  public static PlannedScan of(Dataset<Row> query) throws UnreadableOnGpuException {
    Optional<MooringScan> scan = scan(query);
    return scan.isPresent() ? of(scan.get()) : new PlannedScan(List.of());
  }

  private static PlannedScan of(MooringScan scan) throws UnreadableOnGpuException {
    FilePlanner planner = planner(scan.createReaderFactory().context(), new ScanCounters());
    List<FilePlan> plans = new ArrayList<>();
    for (InputPartition partition : scan.planInputPartitions()) {
      for (FileSplit split : ((ScanPartition) partition).splits()) {
        plans.add(planner.plan(split));
      }
    }
    return new PlannedScan(plans);
  }

  /** What plans the files of a query. */
  public static FilePlanner planner(ScanContext context, ScanCounters counters) {
    return new FilePlanner(
        context.files(), context.settings(), context.pruning(), context.configuration(), counters);
  }

  /** What the tasks of a query would do on a GPU, all their work in order. */
  public static List<ScanWork> work(Dataset<Row> query) throws UnreadableOnGpuException {
    MooringScan scan = scan(query).orElseThrow();
    ScanContext context = scan.createReaderFactory().context();
    FilePlanner planner = planner(context, new ScanCounters());
    List<ScanWork> work = new ArrayList<>();
    for (InputPartition partition : scan.planInputPartitions()) {
      UnitCoalescer task = new UnitCoalescer(context);
      for (FileSplit split : ((ScanPartition) partition).splits()) {
        TaskPlanner.add(task, planner.plan(split));
      }
      work.addAll(task.finish());
    }
    return work;
  }

  /** The splits of each task of a query. */
  public static List<List<FileSplit>> tasks(Dataset<Row> query) {
    return Arrays.stream(scan(query).orElseThrow().planInputPartitions())
        .map(partition -> ((ScanPartition) partition).splits())
        .toList();
  }

  /** The splits of all tasks of a query. */
  public static List<FileSplit> splits(Dataset<Row> query) {
    return tasks(query).stream().flatMap(List::stream).toList();
  }

  /** What the tasks of a query share. */
  public static ScanContext context(Dataset<Row> query) {
    return scan(query).orElseThrow().createReaderFactory().context();
  }

  static Optional<MooringScan> scan(Dataset<Row> query) {
    return CollectionConverters.asJava(query.queryExecution().sparkPlan().collectLeaves()).stream()
        .filter(BatchScanExec.class::isInstance)
        .map(leaf -> (MooringScan) ((BatchScanExec) leaf).scan())
        .findFirst();
  }

  /** The row groups that are read. */
  public Set<Integer> rowGroups() {
    Set<Integer> read = new TreeSet<>();
    plans.stream()
        .flatMap(plan -> plan.units().stream())
        .forEach(unit -> Arrays.stream(unit.rowGroups()).forEach(read::add));
    return read;
  }

  public int pruned() {
    return plans.stream().mapToInt(FilePlan::pruned).sum();
  }
}
