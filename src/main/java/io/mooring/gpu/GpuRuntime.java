package io.mooring.gpu;

import ai.rapids.cudf.Cuda;
import io.mooring.conf.MooringConf;
import io.mooring.jni.TransferJni;
import io.mooring.parquet.DeviceAdmission;
import io.mooring.parquet.IoThreads;
import io.mooring.parquet.ScanResources;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The GPU of this process: started once, in the background; a second Spark context finds the same.
 * Without a usable GPU everything is read by Spark's own reader, and {@link #reason} says why.
 * Thread-safe.
 */
public final class GpuRuntime {
  private static final int LEAST_IO_THREADS = 4;
  private static final int MOST_IO_THREADS = 32;
  private static final long START_LIMIT_SECONDS = 300;

  private static @Nullable GpuRuntime current;

  private final MooringConf conf;
  private final CountDownLatch started = new CountDownLatch(1);
  private final ThreadLocal<Boolean> deviceSet = ThreadLocal.withInitial(() -> false);
  private volatile long startNanos;
  private volatile @Nullable String startProblem;
  private volatile @Nullable Up up;

  /** A device that has come up, and what scans share on it. */
  private record Up(int device, String name, ScanResources shared, GpuHealth health) {}

  private GpuRuntime(MooringConf conf) {
    this.conf = conf;
  }

  /**
   * Starts the runtime of this process, or finds it; returns at once. With Mooring switched off
   * nothing is started, so that a later context may still start it.
   *
   * @param device that Spark has assigned; the first one when empty
   */
  public static synchronized GpuRuntime start(MooringConf conf, OptionalInt device) {
    return start(conf, new GpuStart(conf, device)::run);
  }

  /** What brings the device up. */
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

  /** As {@link #start}, on the first device, for an executor that runs without the plugin. */
  public static GpuRuntime currentOrStart(Supplier<MooringConf> conf) {
    return start(conf.get(), OptionalInt.empty());
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
    int cores = Runtime.getRuntime().availableProcessors();
    int auto = Math.min(MOST_IO_THREADS, Math.max(LEAST_IO_THREADS, cores));
    int threads = (int) conf.get(MooringConf.IO_THREADS).orElse(auto);
    ScanResources shared =
        new ScanResources(
            IoThreads.start(threads, result.uploadStream(), this::useOnThisThread),
            new DeviceAdmission(result.deviceBytes()));
    String name = result.deviceName();
    up = new Up(result.device(), name, shared, new GpuHealth(name));
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
    Up started = up;
    return started == null ? startProblem : started.health().problem();
  }

  /** The device that scans use, for people; empty when there is none, or not yet. */
  public String deviceName() {
    Up started = up;
    return started == null ? "" : started.name();
  }

  /**
   * How long the device took to come up, in nanoseconds; 0 before it has. The pool may still fill.
   */
  public long startNanos() {
    return startNanos;
  }

  /**
   * What failures have left of the GPU.
   *
   * @throws IllegalStateException when no GPU has come up
   */
  public GpuHealth health() {
    return up().health();
  }

  /** Makes the device current for the calling thread in both CUDA runtimes; cheap when it is. */
  public void useOnThisThread() {
    if (!deviceSet.get()) {
      int device = up().device();
      TransferJni.setDevice(device);
      Cuda.setDevice(device);
      deviceSet.set(true);
    }
  }

  /**
   * What scans share.
   *
   * @throws IllegalStateException when the GPU is not usable
   */
  public ScanResources scanResources() {
    return up().shared();
  }

  private Up up() {
    Up started = up;
    if (started == null) {
      throw new IllegalStateException("The GPU is not usable: " + reason());
    }
    return started;
  }

  /** The settings that this process was started with. */
  public MooringConf conf() {
    return conf;
  }
}
