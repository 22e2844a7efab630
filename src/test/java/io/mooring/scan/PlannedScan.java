package io.mooring.scan;

import io.mooring.parquet.footer.UnreadableOnGpuException;
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
 * What a query over one file of ours would have the GPU read; needs none. Nothing, where Spark
 * knows without reading that there are no rows.
 */
record PlannedScan(List<FilePlan> plans) {
  static PlannedScan of(Dataset<Row> query) throws UnreadableOnGpuException {
    Optional<MooringScan> scan = scan(query);
    return scan.isPresent() ? of(scan.get()) : new PlannedScan(List.of());
  }

  private static PlannedScan of(MooringScan scan) throws UnreadableOnGpuException {
    FilePlanner planner = planner(ScanReaderFactory.create(scan));
    List<FilePlan> plans = new ArrayList<>();
    for (InputPartition partition : scan.planInputPartitions()) {
      for (FileSplit split : ((ScanPartition) partition).splits()) {
        plans.add(planner.plan(split));
      }
    }
    return new PlannedScan(plans);
  }

  private static FilePlanner planner(ScanReaderFactory factory) {
    return new FilePlanner(
        factory.files(), factory.settings(), factory.pruning(), factory.configuration());
  }

  /** What the tasks of a query would do on a GPU, all their steps in order. */
  static List<ScanSteps.Step> steps(Dataset<Row> query) throws UnreadableOnGpuException {
    MooringScan scan = scan(query).orElseThrow();
    ScanReaderFactory factory = ScanReaderFactory.create(scan);
    FilePlanner planner = planner(factory);
    List<ScanSteps.Step> steps = new ArrayList<>();
    for (InputPartition partition : scan.planInputPartitions()) {
      UnitCoalescer task = new UnitCoalescer(factory);
      for (FileSplit split : ((ScanPartition) partition).splits()) {
        ScanSteps.add(task, planner.plan(split));
      }
      steps.addAll(task.steps());
    }
    return steps;
  }

  static Optional<MooringScan> scan(Dataset<Row> query) {
    return CollectionConverters.asJava(query.queryExecution().sparkPlan().collectLeaves()).stream()
        .filter(BatchScanExec.class::isInstance)
        .map(leaf -> (MooringScan) ((BatchScanExec) leaf).scan())
        .findFirst();
  }

  /** The row groups that are read. */
  Set<Integer> rowGroups() {
    Set<Integer> read = new TreeSet<>();
    plans.stream()
        .flatMap(plan -> plan.units().stream())
        .forEach(unit -> Arrays.stream(unit.rowGroups()).forEach(read::add));
    return read;
  }

  int pruned() {
    return plans.stream().mapToInt(FilePlan::pruned).sum();
  }
}
