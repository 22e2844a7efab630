package io.mooring.spark.plan;

import io.mooring.catalyst.TreeNodes;
import io.mooring.scan.iceberg.IcebergScan;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation$;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation;
import org.jspecify.annotations.Nullable;

/** The pattern of a scan that Iceberg has planned, over a relation of the files that it chose. */
final class IcebergPattern {
  private IcebergPattern() {}

  /** Null when the plan is anything else. */
  static @Nullable ScanPattern find(SparkSession session, LogicalPlan plan) {
    LogicalPlan leaf = plan instanceof Aggregate aggregate ? aggregate.child() : plan;
    while (leaf instanceof Project || leaf instanceof Filter) {
      leaf = leaf.children().head();
    }
    return leaf instanceof DataSourceV2ScanRelation scan && IcebergScan.is(scan.scan())
        ? ScanPattern.find(TreeNodes.replaceEnd(plan, leaf, relation(session, scan)))
        : null;
  }

  private static LogicalPlan relation(SparkSession session, DataSourceV2ScanRelation scan) {
    var files = new IcebergScan(scan.scan()).relation(session);
    LogicalRelation relation = LogicalRelation$.MODULE$.apply(files, false);
    return TreeNodes.copy(
        (LogicalPlan) relation, part -> part == relation.output() ? scan.output() : part);
  }
}
