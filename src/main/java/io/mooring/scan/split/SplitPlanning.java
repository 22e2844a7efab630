package io.mooring.scan.split;

import io.mooring.conf.ScanEntries;
import io.mooring.session.GpuAvailability;
import io.mooring.session.SessionConf;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.spark.internal.config.ConfigEntry;
import org.apache.spark.network.util.JavaUtils;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.internal.SQLConf;
import scala.jdk.javaapi.OptionConverters;

/** Packs the files of a scan into tasks by the settings of its session. */
public final class SplitPlanning {
  private final SparkSession session;

  private SplitPlanning(SparkSession session) {
    this.session = session;
  }

  public static SplitPlanning of(SparkSession session) {
    return new SplitPlanning(session);
  }

  /**
   * Plans by {@code BalancedSplits} where a GPU is expected, unless the session sets
   * spark.sql.files.maxPartitionBytes; otherwise as Spark does.
   */
  public List<ScanPartition> plan(List<FileSplit> files) {
    String key = SQLConf.FILES_MAX_PARTITION_BYTES().key();
    long openCost = bytes(SQLConf.FILES_OPEN_COST_IN_BYTES().key());
    boolean sparks = session.sessionState().conf().contains(key);
    if (sparks || !new GpuAvailability(session).expected()) {
      int most = number(SQLConf.FILES_MAX_PARTITION_NUM()).orElse(Integer.MAX_VALUE);
      return new SplitPlanner(bytes(key), openCost, minPartitions(), files).plan(files, most);
    }
    long partitionBytes = SessionConf.get(session, ScanEntries.PARTITION_SIZE);
    return new BalancedSplits(partitionBytes, openCost, minPartitions()).plan(files, ring(files));
  }

  /** The executors to prefer; none where the setting or the files are against it. */
  private ExecutorRing ring(List<FileSplit> files) {
    String locality = SessionConf.get(session, ScanEntries.LOCALITY);
    boolean wanted =
        locality.equals("always")
            || (locality.equals("remote") && files.stream().allMatch(FileSplit::isRemote));
    return wanted ? ExecutorRing.ofApplication() : new ExecutorRing(List.of());
  }

  private int minPartitions() {
    return number(SQLConf.FILES_MIN_PARTITION_NUM())
        .or(() -> number(SQLConf.LEAF_NODE_DEFAULT_PARALLELISM()))
        .orElseGet(() -> session.sparkContext().defaultParallelism());
  }

  private Optional<Integer> number(ConfigEntry<?> setting) {
    return OptionConverters.toJava(session.conf().getOption(setting.key())).map(Integer::valueOf);
  }

  private long bytes(String key) {
    return JavaUtils.byteStringAsBytes(session.conf().get(key));
  }

  /**
   * Cuts files into splits and packs splits into tasks as Spark's file scans do: splits of at most
   * {@code maxSplitBytes}, largest first, each file counted with what opening it costs.
   */
  static final class SplitPlanner {
    private final long maxSplitBytes;
    private final long openCostBytes;

    /** Both in bytes; see spark.sql.files.maxPartitionBytes and openCostInBytes. */
    SplitPlanner(
        long maxPartitionBytes, long openCostBytes, int minPartitions, List<FileSplit> files) {
      long total = files.stream().mapToLong(file -> file.fileLength() + openCostBytes).sum();
      long share = total / Math.max(1, minPartitions);
      this.maxSplitBytes = Math.max(1, Math.min(maxPartitionBytes, Math.max(openCostBytes, share)));
      this.openCostBytes = openCostBytes;
    }

    /**
     * Plans some files.
     *
     * @param most where there would be more partitions, splits are packed to about this number
     */
    List<ScanPartition> plan(List<FileSplit> files, int most) {
      List<FileSplit> splits = new ArrayList<>();
      for (FileSplit file : files) {
        for (long start = 0; start < file.fileLength(); start += maxSplitBytes) {
          splits.add(file.withRange(start, Math.min(maxSplitBytes, file.fileLength() - start)));
        }
      }
      splits.sort(Comparator.comparingLong(FileSplit::length).reversed());
      List<ScanPartition> partitions = pack(splits, maxSplitBytes);
      if (partitions.size() <= most) {
        return partitions;
      }
      long total = splits.stream().mapToLong(split -> split.length() + openCostBytes).sum();
      return pack(splits, (total + most - 1) / most);
    }

    private List<ScanPartition> pack(List<FileSplit> splits, long partitionBytes) {
      List<ScanPartition> partitions = new ArrayList<>();
      List<FileSplit> current = new ArrayList<>();
      long bytes = 0;
      for (FileSplit split : splits) {
        if (bytes + split.length() > partitionBytes && !current.isEmpty()) {
          partitions.add(new ScanPartition(List.copyOf(current)));
          current.clear();
          bytes = 0;
        }
        current.add(split);
        bytes += split.length() + openCostBytes;
      }
      if (!current.isEmpty()) {
        partitions.add(new ScanPartition(List.copyOf(current)));
      }
      return partitions;
    }
  }
}
