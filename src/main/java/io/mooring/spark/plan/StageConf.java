package io.mooring.spark.plan;

import io.mooring.conf.SqlEntries;
import io.mooring.session.GpuAvailability;
import io.mooring.session.SessionConf;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.internal.SQLConf;

/** A session's setting on stages. */
public final class StageConf {
  private StageConf() {}

  /** Whether plans of a session get stages. */
  public static boolean isOn(SparkSession session) {
    String mode = SessionConf.get(session, SQLConf.get(), SqlEntries.STAGES);
    return mode.equals("always")
        || (mode.equals("auto") && new GpuAvailability(session).expected());
  }
}
