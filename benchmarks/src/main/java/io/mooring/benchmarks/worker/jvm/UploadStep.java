package io.mooring.benchmarks.worker.jvm;

import ai.rapids.cudf.Table;
import io.mooring.gpu.Device;
import io.mooring.jni.TransferJni;
import io.mooring.parquet.read.UnitPipeline;
import io.mooring.parquet.read.UnitTables;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.unit.ScanCounters.Counter;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;

/** Mooring's whole pipeline: every task reads, uploads and decodes its units, and drops them. */
final class UploadStep implements PipelineStep {

  private static final long PER_THREAD_STREAM = 2;

  /** Names of the metrics, as a scan has them. */
  private static final Map<Counter, String> NAMES =
      new EnumMap<>(
          Map.of(
              Counter.BYTES_READ, "bytesRead",
              Counter.PINNED_BYTES, "pinnedBytes",
              Counter.PAGEABLE_BYTES, "pageableBytes",
              Counter.READ_TIME, "readNanos",
              Counter.VERIFY_TIME, "verifyNanos",
              Counter.HOST_MEMORY_WAIT, "hostMemoryWaitNanos",
              Counter.DEVICE_MEMORY_WAIT, "deviceMemoryWaitNanos",
              Counter.UPLOAD_WAIT, "uploadWaitNanos",
              Counter.DECODE_TIME, "decodeNanos",
              Counter.ROW_GROUPS_READ, "rowGroupsRead"));

  private final PlannedFiles data;
  private final Device gpu;
  private final Configuration hadoop;
  private final int repeat;

  /** Reads the files {@code repeat} times over. */
  UploadStep(PlannedFiles data, Device gpu, Configuration hadoop, int repeat) {
    this.data = data;
    this.gpu = gpu;
    this.hadoop = hadoop;
    this.repeat = repeat;
  }

  @Override
  public Done run(int tasks) throws Exception {
    ScanCounters counters = new ScanCounters();
    ThreadTeam.work(tasks, task -> oneTask(data.ofTask(task, tasks, repeat), counters));
    Map<String, Long> metrics = new TreeMap<>();
    NAMES.forEach((counter, name) -> metrics.put(name, counters.value(counter)));
    return new Done(data.bytes() * repeat, metrics);
  }

  private void oneTask(List<ReadUnit> units, ScanCounters counters) throws Exception {
    gpu.useOnThisThread();
    try (UnitPipeline pipeline = new UnitPipeline(units, gpu.scanResources(), hadoop, counters)) {
      for (ReadUnit unit : units) {
        try (UnitTables tables = pipeline.next(unit)) {
          for (Table table = tables.next(); table != null; table = tables.next()) {
            table.close();
          }
        }
      }
    }
    TransferJni.syncStream(PER_THREAD_STREAM);
  }
}
