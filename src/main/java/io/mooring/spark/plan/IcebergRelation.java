package io.mooring.spark.plan;

import io.mooring.catalyst.ScalaLists;
import io.mooring.scan.iceberg.IcebergFiles;
import io.mooring.scan.iceberg.IcebergScan;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.trees.TreeNodeTag;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation$;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation;
import org.jspecify.annotations.Nullable;

/**
 * Makes a relation of the files that Iceberg has chosen for a scan, with the columns of the scan,
 * so that such a scan is planned as a relation of Spark's format is.
 */
final class IcebergRelation {
  // Joins ask for the relations below them again and again.
  private static final TreeNodeTag<LogicalPlan> RELATION =
      new TreeNodeTag<>("mooring.iceberg.files");

  private IcebergRelation() {}

  /** Null when the plan is anything else, and where the session leaves such scans to Iceberg. */
  static @Nullable LogicalPlan of(LogicalPlan leaf) {
    SparkSession session = SparkSession.getActiveSession().getOrElse(() -> null);
    if (session == null
        || !(leaf instanceof DataSourceV2ScanRelation scan)
        || !IcebergScan.is(scan.scan())
        || !ScanRewriteConf.of(session).takesIceberg()) {
      return null;
    }
    LogicalPlan known = leaf.getTagValue(RELATION).getOrElse(() -> null);
    // Spark copies nodes with their tags, also when it gives a copy other columns.
    if (known != null && isOf(known, scan)) {
      return known;
    }
    LogicalPlan created = of(session, scan);
    leaf.setTagValue(RELATION, created);
    return created;
  }

  private static boolean isOf(LogicalPlan plan, DataSourceV2ScanRelation scan) {
    LogicalRelation relation = (LogicalRelation) plan.collectLeaves().head();
    return ((HadoopFsRelation) relation.relation()).location() instanceof IcebergFiles files
        && files.scan().scan() == scan.scan()
        && ScriptInput.includes(relation) == ScriptInput.includes(scan)
        && ids(plan).equals(ids(scan));
  }

  private static List<ExprId> ids(LogicalPlan plan) {
    return ScalaLists.<Attribute>list(plan.output()).stream().map(Attribute::exprId).toList();
  }

  private static LogicalPlan of(SparkSession session, DataSourceV2ScanRelation scan) {
    HadoopFsRelation files = new IcebergScan(scan.scan()).relation(session);
    LogicalRelation relation = LogicalRelation$.MODULE$.apply(files, false);
    if (ScriptInput.includes(scan)) {
      ScriptInput.add(relation);
    }
    return RowLineageColumns.over(relation, ScalaLists.list(scan.output()));
  }
}
