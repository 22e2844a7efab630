package io.mooring.scan;

import io.mooring.conf.ConfEntry;
import io.mooring.conf.MooringConf;
import io.mooring.gpu.GpuRuntime;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;

/** Whether scans of a relation evaluate filters and aggregates. */
record PushdownMode(boolean pushes) {

  static PushdownMode of(HadoopFsRelation relation) {
    SparkSession session = relation.sparkSession();
    ConfEntry<String> entry = MooringConf.SQL_PUSHDOWN;
    String mode = entry.parse(session.conf().get(entry.key(), entry.defaultText()));
    // Rows, not batches, are read where Spark has none: they leave as they are read.
    boolean batches = SparkFileReader.returnsBatches(session, relation.schema());
    return new PushdownMode(
        batches && (mode.equals("always") || (mode.equals("auto") && !onlyCpu(session))));
  }

  /** Whether this process does everything, without a GPU: Spark's own operators are faster then. */
  private static boolean onlyCpu(SparkSession session) {
    return session.sparkContext().isLocal()
        && GpuRuntime.current().map(gpu -> !gpu.usable()).orElse(true);
  }
}
