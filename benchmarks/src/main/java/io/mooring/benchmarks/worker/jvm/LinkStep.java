package io.mooring.benchmarks.worker.jvm;

import ai.rapids.cudf.DeviceMemoryBuffer;
import io.mooring.jni.TransferJni;
import io.mooring.memory.HostBuffer;
import io.mooring.memory.HostMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Copies pinned memory to the device, one copy after the other: what the link gives at most. */
final class LinkStep implements PipelineStep {

  private static final int BUFFERS = 4;
  private static final long BUFFER_BYTES = 64L << 20;

  private final long bytes;
  private final List<HostBuffer> hosts = new ArrayList<>();
  private final List<DeviceMemoryBuffer> devices = new ArrayList<>();

  /** Copies about so many bytes. */
  LinkStep(long bytes) {
    this.bytes = bytes;
  }

  @Override
  public void prepare() {
    for (int i = 0; i < BUFFERS; i++) {
      HostBuffer host = HostMemory.tryAllocatePinned(BUFFER_BYTES);
      if (host == null) {
        throw new IllegalStateException("the pool has no 64 MiB left; raise --pool-size");
      }
      hosts.add(host);
      devices.add(DeviceMemoryBuffer.allocate(BUFFER_BYTES));
    }
    TransferJni.syncStream(TransferJni.PER_THREAD_STREAM);
  }

  @Override
  public Done run(int tasks) {
    long copies = Math.max(BUFFERS, (bytes + BUFFER_BYTES - 1) / BUFFER_BYTES);
    for (long i = 0; i < copies; i++) {
      int at = (int) (i % BUFFERS);
      TransferJni.copyAsync(
          devices.get(at).getAddress(),
          hosts.get(at).address(),
          BUFFER_BYTES,
          TransferJni.HOST_TO_DEVICE,
          TransferJni.PER_THREAD_STREAM);
    }
    TransferJni.syncStream(TransferJni.PER_THREAD_STREAM);
    return new Done(copies * BUFFER_BYTES, Map.of());
  }

  @Override
  public void finish() {
    devices.forEach(DeviceMemoryBuffer::close);
    hosts.forEach(HostBuffer::close);
    devices.clear();
    hosts.clear();
  }
}
