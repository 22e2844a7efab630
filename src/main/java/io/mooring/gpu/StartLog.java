package io.mooring.gpu;

import io.mooring.conf.MooringVersion;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one line that tells what became of the start of a GPU. */
final class StartLog {
  private static final Logger LOG = LoggerFactory.getLogger(StartLog.class);

  private StartLog() {}

  /** Waits for the pool, which may still be filling. */
  static void up(GpuStart.Result result, long millis) {
    LOG.info(
        "Mooring reads Parquet on {} with cudf {}, up in {} ms; {} MiB of device memory; {}",
        devices(result),
        MooringVersion.cudf(),
        millis,
        result.devices().stream().mapToLong(StartedDevice::bytes).sum() >> 20,
        result.pool().await());
  }

  private static String devices(GpuStart.Result result) {
    return result.devices().stream()
        .map(device -> "GPU " + device.number())
        .collect(Collectors.joining(", "));
  }

  /** Returns the reason for doing without the GPU, as it follows a colon. */
  static String failed(Throwable cause) {
    if (cause instanceof UnusableGpuException unusable) {
      return unusable(unusable);
    }
    LOG.error(
        "Mooring could not start the GPU. Scans go on with Spark's own Parquet reader. See to what"
            + " the stack trace names, most often device memory that another process has taken,"
            + " and restart the executor to use the GPU",
        cause);
    return "the GPU could not be started: " + cause;
  }

  private static String unusable(UnusableGpuException cause) {
    if (cause.isExpected()) {
      LOG.info("Mooring reads with Spark's own Parquet reader: {}", cause.reason());
    } else {
      LOG.error(
          "Mooring reads with Spark's own Parquet reader: {}. To use the GPU, mend this and restart"
              + " the executor",
          cause.reason());
    }
    return cause.reason();
  }
}
