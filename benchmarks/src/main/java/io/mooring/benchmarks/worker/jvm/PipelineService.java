package io.mooring.benchmarks.worker.jvm;

import io.mooring.benchmarks.pipeline.PipelineSteps;
import io.mooring.benchmarks.worker.Reply;
import io.mooring.benchmarks.worker.Request;
import io.mooring.cache.ChunkCache;
import io.mooring.conf.MooringConf;
import io.mooring.conf.ScanEntries;
import io.mooring.gpu.Device;
import io.mooring.gpu.GpuRuntime;
import io.mooring.jni.NativeLibrary;
import io.mooring.memory.PinnedPool;
import io.mooring.parquet.footer.UnreadableOnGpuException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;

/** The worker's half of {@code pipeline}: Mooring without Spark, one data set at a time. */
public final class PipelineService {

  private static final Duration POOL_PATIENCE = Duration.ofMinutes(5);
  private static final List<Integer> FIRST_GPU = List.of(0);
  private static final int LEAST_IO_THREADS = 4;
  private static final int MOST_IO_THREADS = 32;

  private final Configuration hadoop = new Configuration();
  private MooringConf conf;
  private GpuRuntime gpu;
  private PlannedFiles data;

  /** Starts Mooring, once, and plans the files. */
  public Reply.Planned open(Request.OpenFiles open) throws IOException, UnreadableOnGpuException {
    conf = MooringConf.from(open.conf());
    gpu = GpuRuntime.start(conf, FIRST_GPU);
    boolean usable = gpu.usable();
    if (usable) {
      device().useOnThisThread();
      PinnedPool.awaitStarted(POOL_PATIENCE);
    } else if (!NativeLibrary.load()) {
      throw new IllegalStateException(NativeLibrary.problem());
    }
    data = PlannedFiles.plan(open.paths(), conf, hadoop);
    String problem = usable ? "" : gpu.reason();
    return new Reply.Planned(problem, data.bytes(), data.units().size(), data.plain());
  }

  /** Runs one step once; only that is timed. */
  public Reply.Result run(Request.RunStep request) throws Exception {
    PipelineStep step = step(request);
    try {
      step.prepare();
      ProcessorTime processor = ProcessorTime.start();
      long start = System.nanoTime();
      PipelineStep.Done done = step.run(request.tasks());
      double seconds = (System.nanoTime() - start) / 1e9;
      Map<String, Long> metrics = new TreeMap<>(processor.metrics());
      metrics.putAll(done.metrics());
      metrics.put("bytes", done.bytes());
      return new Reply.Result(seconds, gpu.usable() ? "gpu" : "cpu", List.of(), metrics);
    } finally {
      step.finish();
    }
  }

  private PipelineStep step(Request.RunStep request) {
    return switch (request.step()) {
      case PipelineSteps.READ -> new ReadStep(data, ioThreads());
      case PipelineSteps.LINK -> new LinkStep(data.bytes());
      case PipelineSteps.DECODE -> new DecodeStep(data, device());
      case PipelineSteps.PIPELINE -> upload(request, ChunkCache.OFF, false);
      case PipelineSteps.FILL -> upload(request, gpu.devices().cache(), false);
      case PipelineSteps.CACHED -> upload(request, gpu.devices().cache(), true);
      default -> throw new IllegalArgumentException("no step " + request.step());
    };
  }

  private UploadStep upload(Request.RunStep request, ChunkCache cache, boolean filled) {
    return new UploadStep(data, device(), hadoop, request, cache, filled);
  }

  private Device device() {
    return gpu.devices().all().get(0);
  }

  /** The number of I/O threads that Mooring chooses. */
  private int ioThreads() {
    int cores = Runtime.getRuntime().availableProcessors();
    long auto = Math.min(MOST_IO_THREADS, Math.max(LEAST_IO_THREADS, cores));
    return (int) conf.get(ScanEntries.IO_THREADS).orElse(auto);
  }
}
