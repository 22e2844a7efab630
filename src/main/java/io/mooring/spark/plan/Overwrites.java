package io.mooring.spark.plan;

import io.mooring.catalyst.ScalaLists;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.plans.logical.Command;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Union;
import org.apache.spark.sql.catalyst.trees.TreeNodeTag;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.UnionExec;
import org.apache.spark.sql.execution.command.DataWritingCommandExec;
import org.apache.spark.sql.execution.command.ExecutedCommandExec;
import org.apache.spark.sql.execution.datasources.InsertIntoHadoopFsRelationCommand;
import org.apache.spark.sql.execution.datasources.v2.V2CommandExec;
import org.apache.spark.sql.internal.SQLConf;

/**
 * Queries that write or delete files before their last stage runs. Under adaptive execution Spark
 * has executed everything below the topmost exchanges by then: what fails there leaves the files as
 * they were, and what reads old files there finds them. So these exchanges have to stay.
 */
public final class Overwrites {
  /** Why operators of such a query keep their exchanges. */
  public static final String REASON = "the query changes files before its last stage runs";

  /** Whether there is something to delete: asked of the file system once for each command. */
  private static final TreeNodeTag<Boolean> FINDS_FILES = new TreeNodeTag<>("mooring.finds.files");

  private Overwrites() {}

  /** The writes of a query which keep their topmost exchanges; none of most queries. */
  public static List<LogicalPlan> of(SparkSession session, LogicalPlan query) {
    if (query instanceof Union union) {
      List<LogicalPlan> inserts = ScalaLists.list(union.children());
      boolean several = inserts.stream().allMatch(Command.class::isInstance);
      return several && isAdaptive(session) ? inserts : List.of();
    }
    return deletesFirst(session, query) ? List.of(query) : List.of();
  }

  /** Whether the topmost exchanges of a query stay, by its physical plan. */
  public static boolean is(SparkSession session, SparkPlan query) {
    if (query instanceof UnionExec union) {
      return ScalaLists.list(union.children()).stream().allMatch(Overwrites::isCommand)
          && isAdaptive(session);
    }
    return query instanceof DataWritingCommandExec write && deletesFirst(session, write.cmd());
  }

  private static boolean isCommand(SparkPlan plan) {
    return plan instanceof DataWritingCommandExec
        || plan instanceof V2CommandExec
        || plan instanceof ExecutedCommandExec;
  }

  private static boolean isAdaptive(SparkSession session) {
    return session.sessionState().conf().adaptiveExecutionEnabled();
  }

  /**
   * Whether a command deletes files at first, and adaptive execution plans it with its query. Or
   * whether it does nothing where a failed try has left an empty folder.
   *
   * @param command a logical plan
   */
  private static boolean deletesFirst(SparkSession session, Object command) {
    SQLConf conf = session.sessionState().conf();
    if (!(command instanceof InsertIntoHadoopFsRelationCommand insert)
        || !conf.adaptiveExecutionEnabled()
        || !conf.plannedWriteEnabled()) {
      return false;
    }
    return insert.mode() == SaveMode.Ignore
        || (insert.mode() == SaveMode.Overwrite
            && !insert.dynamicPartitionOverwrite()
            && findsFiles(session, insert));
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
