package io.mooring.scan.split;

import io.mooring.conf.ScanEntries;
import io.mooring.session.GpuAvailability;
import io.mooring.session.SessionConf;
import java.util.List;
import org.apache.spark.network.util.JavaUtils;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.internal.SQLConf;
import scala.Option;

/** Packs the files of a scan into tasks by the settings of its session. */
public final class SplitPlanning {
  private final SparkSession session;

  private SplitPlanning(SparkSession session) {
    this.session = session;
  }

  public static SplitPlanning of(SparkSession session) {
    return new SplitPlanning(session);
  }

  /** In Mooring's manner where a GPU is expected, unless Spark's own setting is set. */
  public List<ScanPartition> plan(List<FileSplit> files) {
    String key = SQLConf.FILES_MAX_PARTITION_BYTES().key();
    long openCost = bytes(SQLConf.FILES_OPEN_COST_IN_BYTES().key());
    boolean sparks = session.sessionState().conf().contains(key);
    if (sparks || !new GpuAvailability(session).expected()) {
      return new SplitPlanner(bytes(key), openCost, minPartitions(), files).plan(files);
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
    Option<String> set = session.conf().getOption(SQLConf.FILES_MIN_PARTITION_NUM().key());
    return set.isDefined()
        ? Integer.parseInt(set.get())
        : session.sparkContext().defaultParallelism();
  }

  private long bytes(String key) {
    return JavaUtils.byteStringAsBytes(session.conf().get(key));
  }
}
