package io.mooring.scan;

import io.mooring.conf.SqlEntries;
import io.mooring.gpu.GpuRuntime;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;

/** What a driver plans for: executors with a GPU, until it is known that there is none. */
public record GpuExpectation(SparkSession session) {

  /**
   * False where this process does everything and has no usable GPU, and where every executor that
   * has reported so far uses none.
   */
  public boolean expected() {
    return problem().isEmpty();
  }

  /** Why no GPU is expected; empty when one is. */
  public String problem() {
    return session.sparkContext().isLocal() ? ofThisProcess() : ReportedGpus.problem();
  }

  /** Whether every executor that is known of has said that it uses a GPU, and one has. */
  public boolean certain() {
    return session.sparkContext().isLocal() ? expected() : ReportedGpus.allUse();
  }

  private static String ofThisProcess() {
    return GpuRuntime.current()
        .map(gpu -> gpu.usable() ? "" : gpu.reason())
        .orElse("the plugin was not started");
  }

  /** Whether scans of a relation evaluate filters and aggregates. */
  boolean pushesInto(HadoopFsRelation relation) {
    String mode = SessionConf.get(session, SqlEntries.PUSHDOWN);
    boolean wanted = mode.equals("always") || (mode.equals("auto") && expected());
    // Rows, not batches, are read where Spark has none: they leave as they are read.
    return wanted && SparkFileReader.returnsBatches(session, relation.schema());
  }
}
