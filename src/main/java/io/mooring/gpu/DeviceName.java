package io.mooring.gpu;

import ai.rapids.cudf.Cuda;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Names a device so that it is known among several machines and containers. */
final class DeviceName {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceName.class);
  private static final int UUID_BYTES = 16;

  private DeviceName() {}

  /** The device of the calling thread: its CUDA number and, as nvidia-smi writes it, its UUID. */
  static String of(int device) {
    String name = "GPU " + device;
    try {
      byte[] bytes = Cuda.getGpuUuid();
      if (bytes.length != UUID_BYTES) {
        return name;
      }
      ByteBuffer uuid = ByteBuffer.wrap(bytes);
      return name + " (GPU-" + new UUID(uuid.getLong(), uuid.getLong()) + ")";
    } catch (RuntimeException | LinkageError e) {
      // A name is not worth a GPU.
      LOG.debug("The UUID of GPU {} is not known", device, e);
      return name;
    }
  }
}
