package io.mooring.gpu;

import io.mooring.conf.MooringConf;
import io.mooring.jni.NativeLibrary;
import io.mooring.jni.PoolJni;
import io.mooring.jni.TransferJni;
import io.mooring.parquet.DeviceAdmission;
import io.mooring.parquet.IoThreads;
import io.mooring.parquet.ScanResources;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
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

  private static @Nullable GpuRuntime current;

  private final MooringConf conf;
  private final int device;
  private final CountDownLatch started = new CountDownLatch(1);
  private final ThreadLocal<Boolean> deviceSet = ThreadLocal.withInitial(() -> false);
  private volatile @Nullable String reason;
  private volatile @Nullable ScanResources resources;

  private GpuRuntime(MooringConf conf, int device) {
    this.conf = conf;
    this.device = device;
  }

  /**
   * Starts the runtime of this process, or finds it; returns at once.
   *
   * @param device that Spark has assigned; the first one when empty
   */
  public static synchronized GpuRuntime start(MooringConf conf, OptionalInt device) {
    if (current == null) {
      current = new GpuRuntime(conf, device.orElse(0));
      Thread thread = new Thread(current::run, "mooring-start");
      thread.setDaemon(true);
      thread.start();
    }
    return current;
  }

  /** The runtime of this process, if it was started. */
  public static synchronized Optional<GpuRuntime> current() {
    return Optional.ofNullable(current);
  }

  /** The runtime of this process, started with these settings if it was not yet. */
  public static synchronized GpuRuntime currentOrStart(Supplier<MooringConf> conf) {
    return current != null ? current : start(conf.get(), OptionalInt.empty());
  }

  private void run() {
    try {
      String problem = findProblem();
      if (problem == null) {
        startDevice();
      } else {
        giveUp(problem);
      }
    } catch (Throwable e) {
      LOG.warn("Mooring could not start the GPU", e);
      giveUp("the GPU could not be started: " + e);
    } finally {
      started.countDown();
    }
  }

  private @Nullable String findProblem() {
    if (!conf.get(MooringConf.ENABLED)) {
      return MooringConf.ENABLED.key() + " is false";
    }
    if (!NativeLibrary.load()) {
      return NativeLibrary.problem();
    }
    int count = PoolJni.deviceCount();
    if (count == 0) {
      return "there is no usable GPU (" + PoolJni.deviceProblem() + ")";
    }
    return device < count
        ? CudfVersion.problem(GpuRuntime.class.getClassLoader())
        : "Spark assigned GPU " + device + " and there are " + count;
  }

  private void startDevice() throws java.io.IOException {
    PoolStart pool = new PoolStart(conf);
    // The pool fills while libcudf is being unpacked.
    pool.start(device);
    long deviceBytes = new DeviceStart(conf, device).run(pool.sizeBytes() > 0);
    resources =
        new ScanResources(
            IoThreads.start(ioThreads(), this::useOnThisThread), new DeviceAdmission(deviceBytes));
    started.countDown();
    pool.report(device);
  }

  private int ioThreads() {
    int cores = Runtime.getRuntime().availableProcessors();
    int auto = Math.min(MOST_IO_THREADS, Math.max(LEAST_IO_THREADS, cores));
    return (int) conf.get(MooringConf.IO_THREADS).orElse(auto);
  }

  private void giveUp(String why) {
    reason = why;
    LOG.info("Mooring reads with Spark's own Parquet reader: {}", why);
  }

  /** Whether scans may use the GPU; waits for the device, not for the whole pool. */
  public boolean usable() {
    try {
      started.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
    return reason == null;
  }

  /** Why the GPU is not used, or null. */
  public @Nullable String reason() {
    return reason;
  }

  /**
   * Turns the GPU path of this process off after an error that the CUDA context does not survive.
   */
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

  /** Makes the device current for the calling thread; cheap when it is. */
  public void useOnThisThread() {
    if (!deviceSet.get()) {
      TransferJni.setDevice(device);
      ai.rapids.cudf.Cuda.setDevice(device);
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
      throw new IllegalStateException("The GPU is not usable: " + reason);
    }
    return shared;
  }

  public MooringConf conf() {
    return conf;
  }
}
