package io.mooring.spark.plan;

import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.datasources.InsertIntoHadoopFsRelationCommand;
import org.apache.spark.sql.internal.SQLConf;

/**
 * Writes that delete files before their query's last stage runs. Under adaptive execution Spark has
 * executed everything below the topmost exchanges by then: what fails there leaves the old files,
 * and what reads the old files there finds them. So these exchanges have to stay.
 */
public final class Overwrites {
  private Overwrites() {}

  /**
   * Whether a command deletes files at first, and adaptive execution plans it with its query.
   *
   * @param command a logical plan
   */
  public static boolean deletesFirst(SparkSession session, Object command) {
    SQLConf conf = session.sessionState().conf();
    return command instanceof InsertIntoHadoopFsRelationCommand insert
        && insert.mode() == SaveMode.Overwrite
        && !insert.dynamicPartitionOverwrite()
        && conf.adaptiveExecutionEnabled()
        && conf.plannedWriteEnabled();
  }
}
