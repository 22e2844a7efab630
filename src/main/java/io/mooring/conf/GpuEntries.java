package io.mooring.conf;

import static io.mooring.conf.ConfEntry.entry;
import static io.mooring.conf.ConfType.autoOr;

import java.time.Duration;
import java.util.OptionalLong;

/** Settings of the GPUs, and of libcudf on them. */
public final class GpuEntries {
  public static final ConfEntry<GpuSelection> DEVICES =
      entry("gpu.devices", GpuSelection.TYPE)
          .doc(
              "Which GPUs an executor uses to which Spark has assigned none: `all` that its process"
                  + " sees, the `first`, or some, as `0,2`. Each task runs on the one with the"
                  + " fewest tasks. GPUs that Spark has assigned"
                  + " (`spark.executor.resource.gpu.amount`) are always those used.")
          .defaultsTo("first");

  public static final ConfEntry<Duration> DECODE_TIMEOUT =
      entry("gpu.decodeTimeout", ConfType.TIME)
          .doc(
              "How long one decode may take before the GPU is given up: damaged pages without"
                  + " checksums can keep it busy for ever. `0` waits as long as it takes. A bare"
                  + " number is seconds.")
          .defaultsTo("5m");

  public static final ConfEntry<String> WAITING =
      entry("gpu.waiting", ConfType.oneOf("block", "yield", "spin"))
          .doc(
              "How a thread waits for its GPU, as it does many times for each decode, filter and"
                  + " aggregate: `block` sleeps and leaves its core to others; `spin` asks without"
                  + " a pause, `yield` lets others run in between. Both learn sooner that the GPU"
                  + " is done, and keep a core busy for each task that waits. Without effect on a"
                  + " GPU that another plugin has brought up before.")
          .defaultsTo("block");

  public static final ConfEntry<Double> MEMORY_FRACTION =
      entry("gpu.memory.fraction", ConfType.FRACTION)
          .doc("Share of the free memory of each of its GPUs that scans of an executor may take.")
          .defaultsTo("0.8");

  public static final ConfEntry<Long> KERNEL_COPY_THRESHOLD =
      entry("libcudf.kernelPinnedCopyThreshold", ConfType.SIZE)
          .doc(
              "libcudf's copies up to this size go through a kernel and not through the copy"
                  + " engine, where they would queue behind uploads. Only while the pool is on, and"
                  + " where every GPU reads pinned memory by its host address, as all but some"
                  + " virtual ones do.")
          .defaultsTo("1m");

  /** Bytes; empty for libcudf's own default. */
  public static final ConfEntry<OptionalLong> DEFAULT_POOL_SIZE =
      entry("libcudf.defaultPool.size", autoOr(ConfType.POOL_SIZE))
          .doc(
              "Size of libcudf's own pinned pool, used only while Mooring's is off. `auto` is"
                  + " libcudf's default; `0` turns it off.")
          .defaultsTo("auto");

  private GpuEntries() {}
}
