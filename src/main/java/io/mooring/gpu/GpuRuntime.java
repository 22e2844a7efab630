package io.mooring.gpu;

import ai.rapids.cudf.Cuda;
import io.mooring.conf.MooringConf;
import io.mooring.jni.TransferJni;
import io.mooring.parquet.DeviceAdmission;
import io.mooring.parquet.IoThreads;
import io.mooring.parquet.ScanResources;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The GPU of this process: started once, in the background; a second Spark context finds the same.
 * Without a usable GPU everything is read by Spark's own reader, and {@link #reason} says why.
 * Thread-safe.
 */
public final class GpuRuntime {
  private static final Logger LOG = LoggerFactory.getLogger(GpuRuntime.class);
  private static final int LEAST_IO_THREADS = 4;
  private static final int MOST_IO_THREADS = 32;
  private static final long START_LIMIT_SECONDS = 300;

  private static @Nullable GpuRuntime current;

  private final MooringConf conf;
  private final CountDownLatch started = new CountDownLatch(1);
  private final ThreadLocal<Boolean> deviceSet = ThreadLocal.withInitial(() -> false);
  private volatile int device;
  private volatile String deviceName = "";
  private volatile long startNanos;
  private volatile @Nullable String reason;
  private volatile @Nullable ScanResources resources;

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
    if (!conf.get(MooringConf.ENABLED)) {
      return switchedOff(conf);
    }
    GpuRuntime runtime = current;
    if (runtime == null) {
      runtime = new GpuRuntime(conf);
      current = runtime;
      Thread thread = new Thread(startOf(runtime, device), "mooring-start");
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
    runtime.reason = MooringConf.ENABLED.key() + " is false";
    runtime.started.countDown();
    return runtime;
  }

  private static Runnable startOf(GpuRuntime runtime, OptionalInt assigned) {
    return () -> runtime.run(new GpuStart(runtime.conf, assigned));
  }

  private void run(GpuStart start) {
    long before = System.nanoTime();
    try {
      GpuStart.Result result = start.run();
      serve(result);
      startNanos = System.nanoTime() - before;
      started.countDown();
      logUp(result, startNanos / 1_000_000);
    } catch (UnusableGpuException e) {
      giveUp(e.reason());
    } catch (Throwable e) {
      LOG.warn("Mooring could not start the GPU", e);
      giveUp("the GPU could not be started: " + e);
    } finally {
      started.countDown();
    }
  }

  private void serve(GpuStart.Result result) {
    device = result.device();
    deviceName = DeviceName.of(device);
    int cores = Runtime.getRuntime().availableProcessors();
    int auto = Math.min(MOST_IO_THREADS, Math.max(LEAST_IO_THREADS, cores));
    int threads = (int) conf.get(MooringConf.IO_THREADS).orElse(auto);
    resources =
        new ScanResources(
            IoThreads.start(threads, TransferJni.createStream(), this::useOnThisThread),
            new DeviceAdmission(result.deviceBytes()));
  }

  private static void logUp(GpuStart.Result result, long millis) {
    LOG.info(
        "Mooring reads Parquet on GPU {} with cudf {}, up in {} ms; {} MiB of device memory; {}",
        result.device(),
        CudfVersion.expected(),
        millis,
        result.deviceBytes() >> 20,
        result.pool().await());
  }

  private void giveUp(String why) {
    reason = why;
    LOG.info("Mooring reads with Spark's own Parquet reader: {}", why);
  }

  /**
   * Whether scans may use the GPU; waits for the device, not for the whole pool. False too when the
   * thread is interrupted, which stays so, and when the device takes minutes to come up.
   */
  public boolean usable() {
    try {
      return started.await(START_LIMIT_SECONDS, TimeUnit.SECONDS) && reason == null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Why the GPU is not used; empty when it is. */
  public String reason() {
    String why = reason;
    if (why != null) {
      return why;
    }
    return started.getCount() == 0 ? "" : "the GPU is still starting";
  }

  /** The device that scans use, for people; empty when there is none, or not yet. */
  public String deviceName() {
    return deviceName;
  }

  /**
   * How long the device took to come up, in nanoseconds; 0 before it has. The pool may still fill.
   */
  public long startNanos() {
    return startNanos;
  }

  /** Turns the GPU path of this process off after an error that a CUDA context does not survive. */
  public synchronized void markLost(Throwable cause) {
    if (reason == null) {
      reason = "the GPU was lost: " + cause.getMessage();
      LOG.error(
          "Mooring lost GPU {} and reads with Spark's own Parquet reader from now on. Restart the"
              + " executor to use the GPU again",
          device,
          cause);
    }
  }

  /** Makes the device current for the calling thread in both CUDA runtimes; cheap when it is. */
  public void useOnThisThread() {
    if (!deviceSet.get()) {
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
    ScanResources shared = resources;
    if (shared == null) {
      throw new IllegalStateException("The GPU is not usable: " + reason());
    }
    return shared;
  }

  /** The settings that this process was started with. */
  public MooringConf conf() {
    return conf;
  }
}
