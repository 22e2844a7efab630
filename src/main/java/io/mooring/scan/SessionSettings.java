package io.mooring.scan;

import io.mooring.conf.ScanEntries;
import java.util.List;
import org.apache.spark.network.util.JavaUtils;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.internal.SQLConf;
import scala.Option;

/** Spark's own settings that a file scan obeys, read from the session when it is planned. */
final class SessionSettings {
  private final SparkSession session;

  private SessionSettings(SparkSession session) {
    this.session = session;
  }

  static SessionSettings of(SparkSession session) {
    return new SessionSettings(session);
  }

  /** Packs files into tasks: for a GPU as Mooring does, unless Spark's own setting is set. */
  List<ScanPartition> partitions(List<FileSplit> files) {
    String key = SQLConf.FILES_MAX_PARTITION_BYTES().key();
    long openCost = bytes(SQLConf.FILES_OPEN_COST_IN_BYTES().key());
    boolean sparks = session.sessionState().conf().contains(key);
    if (sparks || !new GpuExpectation(session).expected()) {
      return new SplitPlanner(bytes(key), openCost, minPartitions(), files).plan(files);
    }
    long partitionBytes = SessionConf.get(session, ScanEntries.PARTITION_SIZE);
    return new BalancedSplits(partitionBytes, openCost, minPartitions()).plan(files);
  }

  private int minPartitions() {
    Option<String> set = session.conf().getOption(SQLConf.FILES_MIN_PARTITION_NUM().key());
    return set.isDefined()
        ? Integer.parseInt(set.get())
        : session.sparkContext().defaultParallelism();
  }

  double compressionFactor() {
    return Double.parseDouble(session.conf().get(SQLConf.FILE_COMPRESSION_FACTOR().key()));
  }

  boolean flag(String key) {
    return Boolean.parseBoolean(session.conf().get(key));
  }

  String text(String key) {
    return session.conf().get(key);
  }

  private long bytes(String key) {
    return JavaUtils.byteStringAsBytes(session.conf().get(key));
  }
}
