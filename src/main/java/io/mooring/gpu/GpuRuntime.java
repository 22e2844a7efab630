package io.mooring.gpu;

import io.mooring.cache.ChunkCache;
import io.mooring.conf.ExecutorMemory.SparkShare;
import io.mooring.conf.GpuEntries;
import io.mooring.conf.MooringConf;
import io.mooring.conf.MooringVersion;
import io.mooring.conf.SqlEntries;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The GPUs of this process: started once, in the background; a second Spark context finds the same.
 * Without a usable GPU everything is read by Spark's own reader, and {@link #reason} says why.
 * Thread-safe.
 */
public final class GpuRuntime {
  private static final Logger LOG = LoggerFactory.getLogger(GpuRuntime.class);
  private static final long START_LIMIT_SECONDS = 300;
  // Each device makes build sides of its own.
  private static final long BYTES_OF_A_LENT_DEVICE = 1L << 30;

  private static @Nullable GpuRuntime current;

  private final MooringConf conf;
  private final CountDownLatch started = new CountDownLatch(1);
  private volatile long startNanos;
  private volatile @Nullable String startProblem;
  private volatile @Nullable Devices up;

  private GpuRuntime(MooringConf conf) {
    this.conf = conf;
  }

  /**
   * Starts the runtime of this process, or finds it; returns at once. With Mooring switched off
   * nothing is started, so that a later context may still start it.
   *
   * @param assigned the devices that Spark has assigned; as the settings say when empty
   * @param spark what Spark's settings say of this process's memory
   */
  public static synchronized GpuRuntime start(
      MooringConf conf, List<Integer> assigned, SparkShare spark) {
    return start(conf, new GpuStart(conf, assigned, spark)::run);
  }

  /** Starts the runtime where Spark's settings say nothing of the memory. */
  public static synchronized GpuRuntime start(MooringConf conf, List<Integer> assigned) {
    return start(conf, assigned, SparkShare.NONE);
  }

  /** Brings the devices up. */
  interface StartSequence {
    GpuStart.Result run() throws UnusableGpuException, IOException;
  }

  static synchronized GpuRuntime start(MooringConf conf, StartSequence sequence) {
    if (!conf.get(MooringConf.ENABLED)) {
      return switchedOff(conf);
    }
    GpuRuntime runtime = current;
    if (runtime == null) {
      GpuRuntime fresh = new GpuRuntime(conf);
      runtime = fresh;
      current = fresh;
      Thread thread = new Thread(() -> fresh.run(sequence), "mooring-start");
      thread.setDaemon(true);
      thread.start();
    }
    return runtime;
  }

  /** The runtime of this process, if it was started. */
  public static synchronized Optional<GpuRuntime> current() {
    return Optional.ofNullable(current);
  }

  /**
   * Finds the runtime, or starts it on an executor without the plugin: on the first device only,
   * because nobody says which others are another executor's.
   */
  public static GpuRuntime currentOrStart(Supplier<MooringConf> conf) {
    return start(conf.get(), List.of(0));
  }

  private static GpuRuntime switchedOff(MooringConf conf) {
    GpuRuntime runtime = new GpuRuntime(conf);
    runtime.startProblem = MooringConf.ENABLED.key() + " is false";
    runtime.started.countDown();
    return runtime;
  }

  private void run(StartSequence sequence) {
    long before = System.nanoTime();
    GpuStart.Result result;
    try {
      result = sequence.run();
      serve(result);
      startNanos = System.nanoTime() - before;
    } catch (Throwable e) {
      startProblem = logFailure(e);
      return;
    } finally {
      started.countDown();
    }
    logStart(result);
  }

  /** Waits for the pool, which may still be filling. */
  private void logStart(GpuStart.Result result) {
    List<StartedDevice> devices = result.devices();
    LOG.info(
        "Mooring reads Parquet on {} with cudf {}, up in {} ms; {} MiB of device memory; {}",
        devices.stream().map(it -> "GPU " + it.number()).collect(Collectors.joining(", ")),
        MooringVersion.cudf(),
        startNanos / 1_000_000,
        devices.stream().mapToLong(StartedDevice::bytes).sum() >> 20,
        result.pool().await());
  }

  /** Returns the reason why there is no GPU: a clause that can follow a colon. */
  private static String logFailure(Throwable cause) {
    if (!(cause instanceof UnusableGpuException unusable)) {
      LOG.error(
          "Mooring could not start the GPU. Scans go on with Spark's own Parquet reader. Fix what"
              + " the stack trace names, most often device memory that another process has taken,"
              + " and restart the executor to use the GPU",
          cause);
      return "the GPU could not be started: " + cause;
    } else if (unusable.isExpected()) {
      LOG.info("Mooring reads with Spark's own Parquet reader: {}", unusable.reason());
    } else {
      LOG.error(
          "Mooring reads with Spark's own Parquet reader: {}. To use the GPU, fix this and restart"
              + " the executor",
          unusable.reason());
    }
    return unusable.reason();
  }

  private void serve(GpuStart.Result result) {
    up =
        new Devices(
            result.devices(),
            IoLimits.of(conf),
            conf.get(GpuEntries.CONCURRENT_TASKS),
            conf.get(GpuEntries.DECODE_TIMEOUT),
            ChunkCache.share(result.pool().cacheLimits()));
  }

  /**
   * Whether scans may use the GPU. Waits up to five minutes for the devices to start, not for the
   * pool to fill. False as well when they take longer, or the wait is interrupted; the interrupt
   * flag stays set.
   */
  public boolean usable() {
    if (started.getCount() == 0) {
      // An interrupted thread, which would not wait, is no reason for Spark to read the file.
      return problem() == null;
    }
    try {
      return started.await(START_LIMIT_SECONDS, TimeUnit.SECONDS) && problem() == null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Why the GPU is not used; empty when it is. */
  public String reason() {
    String why = problem();
    if (why != null) {
      return why;
    }
    return started.getCount() == 0 ? "" : "the GPU is still starting";
  }

  private @Nullable String problem() {
    Devices started = up;
    return started == null ? startProblem : started.problem();
  }

  /** The devices that scans use, for people; empty when there is none, or not yet. */
  public String deviceNames() {
    Devices started = up;
    return started == null ? "" : started.names();
  }

  /**
   * Device memory that scans may use, in bytes, of the device that has least of it; 0 when there is
   * none, or not yet.
   */
  public long deviceBytes() {
    Devices started = up;
    return started == null ? 0 : started.leastBytes();
  }

  /**
   * How long the devices took to come up, in nanoseconds; 0 before it has. The pool may still fill.
   */
  public long startNanos() {
    return startNanos;
  }

  /**
   * The GPU for one reader of a task, which the reader closes.
   *
   * @param task a number that the task's readers have in common, and no reader of another task
   */
  public TaskGpu ofTask(long task) {
    return new TaskGpu(this, task);
  }

  /**
   * The devices that no task uses, for a task that reads so many bytes of files; the caller closes
   * each. One for each GiB at most, because a task's own device reads less in no more time.
   */
  public List<LentDevice> lendIdle(long bytes) {
    boolean always = conf.get(SqlEntries.SINGLE_TASK_AGGREGATES).equals("always");
    return devices().lendIdle(always ? Long.MAX_VALUE : bytes / BYTES_OF_A_LENT_DEVICE);
  }

  /**
   * The devices that have come up, lost ones too.
   *
   * @throws IllegalStateException when none has
   */
  public Devices devices() {
    Devices started = up;
    if (started == null) {
      throw new IllegalStateException("The GPU is not usable: " + reason());
    }
    return started;
  }

  /** Frees what tasks shared and none uses. */
  public void dropUnused() {
    Devices started = up;
    if (started != null) {
      started.all().forEach(Device::dropUnused);
    }
  }

  /** The settings that this process was started with. */
  public MooringConf conf() {
    return conf;
  }
}
