package io.mooring.scan;

import io.mooring.conf.ConfEntry;
import io.mooring.conf.MooringConf;
import io.mooring.gpu.GpuRuntime;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/** What a driver plans for: executors with a GPU, unless it is the only one and has none. */
public record GpuExpectation(SparkSession session) {

  /** False where this process does everything and has no usable GPU. */
  public boolean expected() {
    return !session.sparkContext().isLocal()
        || GpuRuntime.current().map(GpuRuntime::usable).orElse(false);
  }

  /** Whether scans evaluate filters and aggregates. */
  boolean pushes() {
    ConfEntry<String> entry = MooringConf.SQL_PUSHDOWN;
    String mode = entry.parse(session.conf().get(entry.key(), entry.defaultText()));
    return mode.equals("always") || (mode.equals("auto") && expected() && readsBatches());
  }

  /** False where Spark reads rows whatever the columns: then the GPU reads nothing. */
  private boolean readsBatches() {
    return SparkFileReader.returnsBatches(session, new StructType());
  }
}
