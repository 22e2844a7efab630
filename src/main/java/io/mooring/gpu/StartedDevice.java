package io.mooring.gpu;

import ai.rapids.cudf.Cuda;
import io.mooring.jni.TransferJni;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A device that has come up. Immutable.
 *
 * @param number the CUDA ordinal
 * @param name the name in log lines
 * @param bytes the device memory that scans may take
 * @param uploadStream the CUDA stream for all copies to the device that I/O threads make
 */
record StartedDevice(int number, String name, long bytes, long uploadStream) {
  private static final Logger LOG = LoggerFactory.getLogger(StartedDevice.class);
  private static final int UUID_BYTES = 16;

  /** The device that is current on the calling thread, with a stream for uploads. */
  static StartedDevice current(int number, long bytes) {
    return new StartedDevice(number, currentName(number), bytes, TransferJni.createStream());
  }

  /**
   * A name that is unique among machines and containers: the number, and the UUID of nvidia-smi.
   */
  private static String currentName(int number) {
    String name = "GPU " + number;
    try {
      byte[] bytes = Cuda.getGpuUuid();
      if (bytes.length != UUID_BYTES) {
        return name;
      }
      ByteBuffer uuid = ByteBuffer.wrap(bytes);
      return name + " (GPU-" + new UUID(uuid.getLong(), uuid.getLong()) + ")";
    } catch (RuntimeException | LinkageError e) {
      // A missing name must not cost the GPU.
      LOG.debug("The UUID of GPU {} is not known", number, e);
      return name;
    }
  }
}
