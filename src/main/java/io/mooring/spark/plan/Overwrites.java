package io.mooring.spark.plan;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.trees.TreeNodeTag;
import org.apache.spark.sql.execution.datasources.InsertIntoHadoopFsRelationCommand;
import org.apache.spark.sql.internal.SQLConf;

/**
 * Writes that delete files before their query's last stage runs. Under adaptive execution Spark has
 * executed everything below the topmost exchanges by then: what fails there leaves the old files,
 * and what reads the old files there finds them. So these exchanges have to stay.
 */
public final class Overwrites {
  /** Why operators of such a write keep their exchanges. */
  public static final String REASON = "the write deletes files before the query's last stage runs";

  /** Whether there is something to delete: asked of the file system once for each command. */
  private static final TreeNodeTag<Boolean> FINDS_FILES = new TreeNodeTag<>("mooring.finds.files");

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
        && conf.plannedWriteEnabled()
        && findsFiles(session, insert);
  }

  /** Whether the folder is there; a table that is created has none. */
  private static boolean findsFiles(
      SparkSession session, InsertIntoHadoopFsRelationCommand insert) {
    boolean known = insert.getTagValue(FINDS_FILES).isDefined();
    boolean finds =
        known ? insert.getTagValue(FINDS_FILES).get() : exists(session, insert.outputPath());
    insert.setTagValue(FINDS_FILES, finds);
    return finds;
  }

  private static boolean exists(SparkSession session, Path folder) {
    try {
      return folder.getFileSystem(session.sessionState().newHadoopConf()).exists(folder);
    } catch (IOException | RuntimeException e) {
      // The write meets the same, or has other settings than the session.
      return true;
    }
  }
}
