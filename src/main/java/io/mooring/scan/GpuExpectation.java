package io.mooring.scan;

import io.mooring.conf.ConfEntry;
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
    return session.sparkContext().isLocal()
        ? GpuRuntime.current().map(GpuRuntime::usable).orElse(false)
        : !ReportedGpus.noneOfSome();
  }

  /** Whether scans of a relation evaluate filters and aggregates. */
  boolean pushesInto(HadoopFsRelation relation) {
    ConfEntry<String> entry = SqlEntries.PUSHDOWN;
    String mode = entry.parse(session.conf().get(entry.key(), entry.defaultText()));
    boolean wanted = mode.equals("always") || (mode.equals("auto") && expected());
    // Rows, not batches, are read where Spark has none: they leave as they are read.
    return wanted && SparkFileReader.returnsBatches(session, relation.schema());
  }
}
