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
              "GPUs that an executor uses if Spark has assigned none to it: `all` that its"
                  + " process sees, the `first`, or a list such as `0,2`. Each task runs on the"
                  + " GPU with the fewest tasks. An executor always uses the GPUs that Spark has"
                  + " assigned (`spark.executor.resource.gpu.amount`).")
          .defaultsTo("first");

  public static final ConfEntry<Duration> DECODE_TIMEOUT =
      entry("gpu.decodeTimeout", ConfType.TIME)
          .doc(
              "How long one decode may take before the GPU is given up: damaged pages without"
                  + " checksums can keep it busy for ever. `0` waits as long as it takes. A bare"
                  + " number is seconds.")
          .defaultsTo("5m");

  /** A number of tasks; 0 for no limit. */
  public static final ConfEntry<Long> CONCURRENT_TASKS =
      entry("gpu.concurrentTasks", ConfType.numberIn(0, 1024))
          .doc(
              "How many tasks of an executor decode and compute on one GPU at a time. The others"
                  + " wait for their turn, and their files are read and uploaded meanwhile. A task"
                  + " that has waited for 10 s goes on all the same. Build sides that an executor"
                  + " reads itself, and aggregates that one task computes, take no turns. `0` sets"
                  + " no limit.")
          .defaultsTo("8");

  public static final ConfEntry<String> WAITING =
      entry("gpu.waiting", ConfType.oneOf("block", "yield", "spin"))
          .doc(
              "How a thread waits for its GPU, many times in each decode, filter and"
                  + " aggregate: `block` sleeps and leaves its core to other threads; `spin`"
                  + " polls without a pause, and `yield` lets other threads run between polls."
                  + " Both notice sooner that the GPU is done, and keep a core busy for each task"
                  + " that waits. Has no effect on a GPU that another plugin has initialized"
                  + " before.")
          .defaultsTo("block");

  public static final ConfEntry<Double> MEMORY_FRACTION =
      entry("gpu.memory.fraction", ConfType.FRACTION)
          .doc(
              "Share of each GPU's memory that scans of an executor take at its start. For executors"
                  + " that share a GPU set 0.8 divided by their number. At most 0.8 of the free"
                  + " memory is taken, or this share of it if the setting is above 0.8; an executor"
                  + " that would get less than 1 GiB uses Spark's reader.")
          .defaultsTo("0.8");

  public static final ConfEntry<Long> KERNEL_COPY_THRESHOLD =
      entry("libcudf.kernelPinnedCopyThreshold", ConfType.SIZE)
          .doc(
              "Copies of libcudf up to this size are made by a kernel instead of the copy"
                  + " engine, where they would queue behind uploads. Applies while the pool is"
                  + " on, and if every GPU reads pinned memory by its host address, as all but"
                  + " some virtual GPUs do.")
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
