package io.mooring.benchmarks.scan;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** Settings of the RAPIDS Accelerator, each with its reason. */
final class PeerSettings {

  /** Its fastest settings on local files that are known to us. */
  static final String BEST = "peer";

  /** Its best settings with its other multi-file reader, which reads ahead. */
  static final String MULTITHREADED = "peer-multithreaded";

  /** Its default settings. */
  static final String DEFAULT = "peer-default";

  /** One of its settings; the reason is for whoever doubts that it is a fair one. */
  record Setting(String key, String value, String reason) {}

  /** Settings that it needs to run at all. */
  private static final List<Setting> PLUGIN =
      List.of(
          new Setting("spark.plugins", "com.nvidia.spark.SQLPlugin", "it is a Spark plugin"),
          new Setting(
              "spark.rapids.sql.explain",
              "NOT_ON_GPU",
              "the worker's log then names what it leaves to Spark; it costs no time in a scan"));

  private static final List<Setting> TUNED =
      List.of(
          new Setting(
              "spark.rapids.memory.pinnedPool.size",
              "16g",
              "its default is none, with which sums of every column took four times as long"),
          new Setting(
              "spark.hadoop.parquet.read.allocation.size",
              "131072",
              "26.08 copies through a heap array of this size, and 8 MiB (Parquet's default) makes"
                  + " local scans a quarter slower; its makers changed it after 26.08.1"),
          new Setting(
              "spark.rapids.sql.coalescing.reader.numFilterParallel",
              "2",
              "else the footers of a task are read one after the other"));

  private static final List<Setting> READ_AHEAD =
      List.of(
          new Setting(
              "spark.rapids.sql.format.parquet.reader.type",
              "MULTITHREADED",
              "reads all splits of a task ahead; for local files it would choose COALESCING, which"
                  + " reads a whole batch before the GPU starts"),
          new Setting(
              "spark.rapids.sql.multiThreadedRead.numThreads",
              "32",
              "its default is 20; more threads than tasks keep the page cache busy"),
          new Setting(
              "spark.rapids.sql.concurrentGpuTasks",
              "16",
              "its default lets 4 tasks onto the GPU at first; scans are light, so all may go"));

  /** In the place of those above, where files are in a store. */
  private static final List<Setting> STORES =
      List.of(
          new Setting(
              "spark.hadoop.parquet.read.allocation.size",
              "8388608",
              "Parquet's default: with less, each copy is a request of its own"),
          new Setting(
              "spark.rapids.sql.multiThreadedRead.numThreads",
              "128",
              "its default is 20; each thread has one request in progress, and S3 grants more"));

  private PeerSettings() {}

  /** The settings of one of its arms for files in a store; none for its defaults. */
  static Map<String, String> ofStores(String arm) {
    return arm.startsWith(DEFAULT) ? Map.of() : values(STORES);
  }

  /** The settings of one of its arms. */
  static Map<String, String> of(String arm) {
    return values(settings(arm));
  }

  private static List<Setting> settings(String arm) {
    return switch (arm) {
      case DEFAULT -> PLUGIN;
      case BEST -> join(PLUGIN, TUNED);
      case MULTITHREADED -> join(join(PLUGIN, TUNED), READ_AHEAD);
      default -> throw new IllegalArgumentException(arm);
    };
  }

  /** Its part of a GPU that arms share: memory only, so that all fit side by side. */
  static Map<String, String> share(double share) {
    return Map.of(
        "spark.rapids.memory.gpu.allocFraction",
        String.format(Locale.ROOT, "%.3f", share),
        "spark.rapids.memory.gpu.minAllocFraction",
        "0");
  }

  private static Map<String, String> values(List<Setting> settings) {
    Map<String, String> conf = new LinkedHashMap<>();
    settings.forEach(setting -> conf.put(setting.key(), setting.value()));
    return conf;
  }

  private static List<Setting> join(List<Setting> some, List<Setting> more) {
    return Stream.concat(some.stream(), more.stream()).toList();
  }
}
