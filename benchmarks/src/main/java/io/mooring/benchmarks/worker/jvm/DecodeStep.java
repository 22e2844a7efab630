package io.mooring.benchmarks.worker.jvm;

import ai.rapids.cudf.Rmm;
import io.mooring.gpu.Device;
import io.mooring.parquet.unit.ReadUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Decodes bytes that are on the device already: the limit of decoding alone. Where the device
 * cannot hold all units beside the decoded tables, the units that fit are decoded again and again
 * until as many bytes are decoded as the files have.
 */
final class DecodeStep implements PipelineStep {

  /** The share of device memory for encoded bytes; the rest is for decoded tables. */
  private static final double ENCODED_SHARE = 0.3;

  private static final double DECODED_SHARE = 0.6;
  private static final int UPLOADERS = 8;

  private final PlannedFiles data;
  private final Device gpu;
  private final List<DeviceUnit> held = new CopyOnWriteArrayList<>();

  DecodeStep(PlannedFiles data, Device gpu) {
    this.data = data;
    this.gpu = gpu;
  }

  @Override
  public void prepare() throws Exception {
    List<ReadUnit> fitting = fitting();
    AtomicInteger next = new AtomicInteger();
    ThreadTeam.work(
        UPLOADERS,
        number -> {
          gpu.useOnThisThread();
          for (int i = next.getAndIncrement(); i < fitting.size(); i = next.getAndIncrement()) {
            held.add(DeviceUnit.upload(fitting.get(i)));
          }
        });
  }

  private List<ReadUnit> fitting() {
    List<ReadUnit> fitting = new ArrayList<>();
    long room = (long) (ENCODED_SHARE * Rmm.getPoolSize());
    for (ReadUnit unit : data.units()) {
      room -= unit.encodedBytes();
      if (room >= 0 || fitting.isEmpty()) {
        fitting.add(unit);
      }
    }
    return fitting;
  }

  @Override
  public Done run(int tasks) throws Exception {
    long wanted = data.bytes();
    AtomicLong next = new AtomicLong();
    AtomicLong done = new AtomicLong();
    ThreadTeam.work(
        Math.min(tasks, mostTasks()),
        number -> {
          gpu.useOnThisThread();
          while (done.get() < wanted) {
            DeviceUnit unit = held.get((int) (next.getAndIncrement() % held.size()));
            // Counted before: or every thread would decode one more at the end.
            done.addAndGet(unit.encodedBytes());
            unit.decode();
          }
        });
    return new Done(done.get(), Map.of());
  }

  private int mostTasks() {
    long largest =
        data.units().stream()
            .mapToLong(unit -> unit.encodedBytes() + 2 * unit.decodedBytes())
            .max()
            .orElse(1);
    return (int) Math.max(1, (long) (DECODED_SHARE * Rmm.getPoolSize()) / largest);
  }

  @Override
  public void finish() {
    held.forEach(DeviceUnit::close);
    held.clear();
  }
}
