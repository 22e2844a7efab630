package io.mooring.benchmarks.worker.jvm;

import ai.rapids.cudf.Table;
import io.mooring.benchmarks.worker.Request;
import io.mooring.cache.ChunkCache;
import io.mooring.gpu.Device;
import io.mooring.jni.TransferJni;
import io.mooring.parquet.read.ScanResources;
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

/**
 * Mooring's whole pipeline: every task reads, uploads and decodes its units, and drops them; with a
 * cache that is empty, or filled by the same work, or without one.
 */
final class UploadStep implements PipelineStep {

  /** Names of the metrics, as a scan has them. */
  private static final Map<Counter, String> NAMES =
      new EnumMap<>(
          Map.ofEntries(
              Map.entry(Counter.BYTES_READ, "bytesRead"),
              Map.entry(Counter.CACHED_BYTES, "cachedBytes"),
              Map.entry(Counter.CACHE_MISSES, "cacheMisses"),
              Map.entry(Counter.PINNED_BYTES, "pinnedBytes"),
              Map.entry(Counter.PAGEABLE_BYTES, "pageableBytes"),
              Map.entry(Counter.READ_TIME, "readNanos"),
              Map.entry(Counter.VERIFY_TIME, "verifyNanos"),
              Map.entry(Counter.HOST_MEMORY_WAIT, "hostMemoryWaitNanos"),
              Map.entry(Counter.DEVICE_MEMORY_WAIT, "deviceMemoryWaitNanos"),
              Map.entry(Counter.UPLOAD_WAIT, "uploadWaitNanos"),
              Map.entry(Counter.TURN_WAIT, "turnWaitNanos"),
              Map.entry(Counter.DECODE_TIME, "decodeNanos"),
              Map.entry(Counter.ROW_GROUPS_READ, "rowGroupsRead")));

  private final PlannedFiles data;
  private final Device gpu;
  private final Configuration hadoop;
  private final int repeat;
  private final int tasks;
  private final ScanResources resources;
  private final boolean filled;

  /**
   * Reads the files as often as the request says.
   *
   * @param cache what is read through
   * @param filled whether the cache has the files already
   */
  UploadStep(
      PlannedFiles data,
      Device gpu,
      Configuration hadoop,
      Request.RunStep request,
      ChunkCache cache,
      boolean filled) {
    ScanResources all = gpu.scanResources();
    this.data = data;
    this.gpu = gpu;
    this.hadoop = hadoop;
    this.repeat = request.repeat();
    this.tasks = request.tasks();
    this.resources =
        new ScanResources(all.threads(), all.admission(), all.limit(), all.monitor(), cache);
    this.filled = filled;
  }

  /** Brings the cache into the state that the run is to find. */
  @Override
  public void prepare() throws Exception {
    resources.cache().clear();
    if (filled) {
      run(tasks);
    }
  }

  /** Leaves the pool to the other steps. */
  @Override
  public void finish() {
    resources.cache().clear();
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
    try (UnitPipeline pipeline = new UnitPipeline(units, resources, hadoop, counters)) {
      for (ReadUnit unit : units) {
        try (UnitTables tables = pipeline.next(unit)) {
          for (Table table = tables.next(); table != null; table = tables.next()) {
            table.close();
          }
        }
      }
    }
    TransferJni.syncStream(TransferJni.PER_THREAD_STREAM);
  }
}
