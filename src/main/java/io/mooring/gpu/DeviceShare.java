package io.mooring.gpu;

import io.mooring.conf.GpuEntries;
import io.mooring.jni.TransferJni;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The device memory that this process takes: a fraction of the total, not of the free memory, so
 * that executors with the same setting get the same amount in whatever order they start. The amount
 * is cut where other processes leave less free.
 *
 * @param device CUDA's number
 * @param total bytes of the device
 * @param free bytes that no process has taken
 * @param fraction the setting
 */
record DeviceShare(int device, long total, long free, double fraction) {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceShare.class);
  private static final long ALIGNMENT = 256;
  private static final int MIB_SHIFT = 20;

  /**
   * A row group of 128 MiB, Spark's own size, that is decoded in chunks: its bytes, its pages,
   * which may have to be decompressed all at once, and libcudf's own work on the columns of a
   * chunk.
   */
  static final long LEAST_BYTES = 1L << 30;

  /** What executors on one device may have together: the contexts of CUDA need the rest. */
  private static final double SHARED = 0.8;

  /** The part of what is asked for below which what other processes hold is worth a WARN. */
  private static final double NOT_CUT = 0.5;

  /** The share now; makes a context on the device where there is none. */
  static DeviceShare ofNow(int device, double fraction) {
    long[] freeAndTotal = TransferJni.memoryInfo(device);
    return new DeviceShare(device, freeAndTotal[1], freeAndTotal[0], fraction);
  }

  /** The bytes to take. */
  long bytes() {
    double most = Math.max(fraction, SHARED) * free;
    return (long) Math.min(wanted(), most) / ALIGNMENT * ALIGNMENT;
  }

  private double wanted() {
    return fraction * total;
  }

  /** Whether scans get on with it. */
  boolean suffices() {
    return bytes() >= LEAST_BYTES;
  }

  /** Whether other processes leave much less of the device than the setting says. */
  boolean isCut() {
    return bytes() < NOT_CUT * wanted();
  }

  /** Logs that the share is cut, if it is. */
  void warnIfCut() {
    if (isCut()) {
      LOG.warn(
          "Mooring takes {} MiB of GPU {} instead of {} MiB: other processes leave {} of its {} MiB"
              + " free; {}",
          bytes() >> MIB_SHIFT,
          device,
          (long) wanted() >> MIB_SHIFT,
          free >> MIB_SHIFT,
          total >> MIB_SHIFT,
          advice());
    }
  }

  /** Why the device is of no use to this process, where the share does not suffice. */
  UnusableGpuException refusal() {
    if (wanted() < LEAST_BYTES) {
      return new UnusableGpuException(
          String.format(
              "%s=%s is %d of the %d MiB of GPU %d, and scans need %d: set it to %s or more",
              GpuEntries.MEMORY_FRACTION.key(),
              fraction,
              (long) wanted() >> MIB_SHIFT,
              total >> MIB_SHIFT,
              device,
              LEAST_BYTES >> MIB_SHIFT,
              text(Math.ceil(1000.0 * LEAST_BYTES / total))));
    }
    return new UnusableGpuException(
        String.format(
            "other processes leave %d of the %d MiB of GPU %d free, too few for scans, which need"
                + " %d: %s",
            free >> MIB_SHIFT,
            total >> MIB_SHIFT,
            device,
            (long) Math.ceil(LEAST_BYTES / Math.max(fraction, SHARED)) >> MIB_SHIFT,
            advice()));
  }

  /**
   * The setting to advise where the other processes are executors: for one more than the current
   * setting has room for.
   */
  private String advice() {
    int executors = Math.max(2, (int) (SHARED / fraction + 1e-6) + 1);
    if (SHARED / executors * total < LEAST_BYTES) {
      return "let fewer executors share the GPU";
    }
    return String.format(
        "if executors share the GPU, set %s=%s for %d of them, and for more %s divided by their"
            + " number",
        GpuEntries.MEMORY_FRACTION.key(),
        text(Math.floor(1000 * SHARED / executors + 1e-6)),
        executors,
        SHARED);
  }

  /** Thousandths as a setting. */
  private static String text(double thousandths) {
    return String.format(Locale.ROOT, "%.3f", thousandths / 1000).replaceAll("0+$", "");
  }
}
