package io.mooring.columnar;

import ai.rapids.cudf.ContiguousTable;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.Table;
import io.mooring.jni.TransferJni;
import io.mooring.memory.HostBuffer;
import io.mooring.memory.HostMemory;
import java.nio.ByteBuffer;

/**
 * A table in one buffer of host memory, on its way from one device to another. Immutable until it
 * is closed, so that any number of threads may copy it to devices.
 */
public final class PackedTable implements AutoCloseable {
  private final HostBuffer host;
  private final long bytes;
  private final ByteBuffer layout;

  private PackedTable(HostBuffer host, long bytes, ByteBuffer layout) {
    this.host = host;
    this.bytes = bytes;
    this.layout = layout;
  }

  /**
   * Copies a table from the device that is current for the calling thread, and waits for that. The
   * table stays the caller's.
   */
  public static PackedTable of(Table table) {
    try (ContiguousTable packed = table.contiguousSplit()[0]) {
      DeviceMemoryBuffer data = packed.getBuffer();
      ByteBuffer layout = copied(packed.getMetadataDirectBuffer());
      HostBuffer host = HostMemory.allocate(Math.max(1, data.getLength()));
      boolean done = false;
      try {
        copy(host.address(), data.getAddress(), data.getLength(), TransferJni.DEVICE_TO_HOST);
        done = true;
        return new PackedTable(host, data.getLength(), layout);
      } finally {
        if (!done) {
          host.close();
        }
      }
    }
  }

  /** A copy that outlives the packed table. */
  private static ByteBuffer copied(ByteBuffer layout) {
    ByteBuffer copy = ByteBuffer.allocateDirect(layout.remaining());
    copy.put(layout.duplicate()).flip();
    return copy;
  }

  /** The bytes that it takes on a device. */
  public long bytes() {
    return bytes;
  }

  /**
   * The table on the device that is current for the calling thread, which closes it; waits until it
   * is there.
   */
  public Table onDevice() {
    try (DeviceMemoryBuffer data = DeviceMemoryBuffer.allocate(bytes)) {
      copy(data.getAddress(), host.address(), bytes, TransferJni.HOST_TO_DEVICE);
      return Table.fromPackedTable(layout.duplicate(), data);
    }
  }

  private static void copy(long to, long from, long bytes, int kind) {
    try {
      TransferJni.copyAsync(to, from, bytes, kind, TransferJni.PER_THREAD_STREAM);
    } finally {
      // After a failure too: neither buffer may be freed while a part of the copy is in flight.
      TransferJni.syncStream(TransferJni.PER_THREAD_STREAM);
    }
  }

  @Override
  public void close() {
    host.close();
  }
}
