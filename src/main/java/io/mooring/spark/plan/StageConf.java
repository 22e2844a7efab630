package io.mooring.spark.plan;

import io.mooring.conf.ConfEntry;
import io.mooring.conf.SqlEntries;
import io.mooring.session.GpuAvailability;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.internal.SQLConf;

/** A session's setting on stages. */
public final class StageConf {
  private StageConf() {}

  /** Whether plans of a session get stages. */
  public static boolean isOn(SparkSession session) {
    ConfEntry<String> entry = SqlEntries.STAGES;
    String mode = entry.parse(SQLConf.get().getConfString(entry.key(), entry.defaultText()));
    return mode.equals("always")
        || (mode.equals("auto") && new GpuAvailability(session).expected());
  }
}
