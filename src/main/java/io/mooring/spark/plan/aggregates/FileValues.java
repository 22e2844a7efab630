package io.mooring.spark.plan.aggregates;

import io.mooring.catalyst.ScalaLists;
import io.mooring.datasource.MooringScan;
import io.mooring.scan.estimate.FooterEstimate;
import io.mooring.spark.plan.GroupEstimate.ColumnValues;
import io.mooring.spark.plan.RelationFooters;
import io.mooring.stage.program.StageScan;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec;
import org.jspecify.annotations.Nullable;

/**
 * How many values columns have by the footer of one file of their relation, which is read when it
 * is first asked for. Belongs to one thread.
 */
final class FileValues implements ColumnValues {
  private final List<BatchScanExec> scans;
  private final Map<LogicalPlan, Optional<FooterEstimate>> byRelation = new IdentityHashMap<>();

  /**
   * @param scans of the relations whose rows are grouped; their files are those that the query
   *     reads
   */
  FileValues(List<BatchScanExec> scans) {
    this.scans = List.copyOf(scans);
  }

  @Override
  public OptionalDouble of(LogicalPlan relation, Attribute column) {
    return byRelation
        .computeIfAbsent(relation, it -> Optional.ofNullable(read(it)))
        .map(values -> values.distinct(column.name()))
        .orElse(OptionalDouble.empty());
  }

  private @Nullable FooterEstimate read(LogicalPlan relation) {
    for (BatchScanExec scan : scans) {
      MooringScan files = StageScan.of(scan.scan());
      List<Attribute> columns = ScalaLists.list(scan.output());
      if (files != null && columns.stream().anyMatch(relation.outputSet()::contains)) {
        return FooterEstimate.of(files.relation(), files.predicates());
      }
    }
    return RelationFooters.of(relation);
  }
}
