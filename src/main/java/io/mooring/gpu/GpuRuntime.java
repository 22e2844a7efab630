package io.mooring.gpu;

import io.mooring.conf.GpuEntries;
import io.mooring.conf.MooringConf;
import io.mooring.conf.SparkShare;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The GPUs of this process: started once, in the background; a second Spark context finds the same.
 * Without a usable GPU everything is read by Spark's own reader, and {@link #reason} says why.
 * Thread-safe.
 */
public final class GpuRuntime {
  private static final long START_LIMIT_SECONDS = 300;

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

  /** As above, where Spark's settings say nothing of the memory. */
  public static synchronized GpuRuntime start(MooringConf conf, List<Integer> assigned) {
    return start(conf, assigned, SparkShare.NONE);
  }

  /** What brings the devices up. */
  interface Steps {
    GpuStart.Result run() throws UnusableGpuException, IOException;
  }

  static synchronized GpuRuntime start(MooringConf conf, Steps steps) {
    if (!conf.get(MooringConf.ENABLED)) {
      return switchedOff(conf);
    }
    GpuRuntime runtime = current;
    if (runtime == null) {
      GpuRuntime fresh = new GpuRuntime(conf);
      runtime = fresh;
      current = fresh;
      Thread thread = new Thread(() -> fresh.run(steps), "mooring-start");
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
   * As {@link #start}, for an executor that runs without the plugin: on the first device only,
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

  private void run(Steps steps) {
    long before = System.nanoTime();
    GpuStart.Result result;
    try {
      result = steps.run();
      serve(result);
      startNanos = System.nanoTime() - before;
    } catch (Throwable e) {
      startProblem = StartLog.failed(e);
      return;
    } finally {
      started.countDown();
    }
    StartLog.up(result, startNanos / 1_000_000);
  }

  private void serve(GpuStart.Result result) {
    up = new Devices(result.devices(), IoLimits.of(conf), conf.get(GpuEntries.DECODE_TIMEOUT));
  }

  /**
   * Whether scans may use the GPU; waits for the device, not for the whole pool. False too when the
   * thread is interrupted, which stays so, and when the device takes minutes to come up.
   */
  public boolean usable() {
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
   * How long the devices took to come up, in nanoseconds; 0 before it has. The pool may still fill.
   */
  public long startNanos() {
    return startNanos;
  }

  /**
   * The GPU as a reader of a task sees it, which has to close it.
   *
   * @param task a number that the readers of one task have in common, and no other
   */
  public TaskGpu ofTask(long task) {
    return new TaskGpu(this, task);
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
