package io.mooring.spark;

import io.mooring.conf.ConfEntry;
import io.mooring.conf.MooringConf;
import io.mooring.scan.MooringDataSource;
import io.mooring.scan.MooringTable;
import java.lang.reflect.Constructor;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import scala.Option;
import scala.runtime.AbstractPartialFunction;

/**
 * Puts {@link MooringTable} in the place of a file relation whose format is Mooring's, while {@code
 * spark.mooring.sql.enabled} is true. Thread-safe.
 */
public final class SwapRelation extends Rule<LogicalPlan> {
  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    ConfEntry<Boolean> enabled = MooringConf.SQL_ENABLED;
    if (!enabled.parse(conf().getConfString(enabled.key(), enabled.defaultText()))) {
      return plan;
    }
    return plan.resolveOperators(
        new AbstractPartialFunction<>() {
          @Override
          public boolean isDefinedAt(LogicalPlan node) {
            return isOurs(node);
          }

          @Override
          public LogicalPlan apply(LogicalPlan node) {
            LogicalRelation relation = (LogicalRelation) node;
            HadoopFsRelation files = (HadoopFsRelation) relation.relation();
            return swapped(relation, new MooringTable(() -> files));
          }
        });
  }

  private static boolean isOurs(LogicalPlan node) {
    return node instanceof LogicalRelation logical
        && !logical.isStreaming()
        && logical.relation() instanceof HadoopFsRelation files
        && files.fileFormat() instanceof MooringDataSource;
  }

  /** The constructor has one parameter more in Spark 4.1 than before: the time travel. */
  private static LogicalPlan swapped(LogicalRelation relation, Table table) {
    Constructor<?> constructor = DataSourceV2Relation.class.getConstructors()[0];
    Object[] arguments = new Object[constructor.getParameterCount()];
    java.util.Arrays.fill(arguments, Option.empty());
    arguments[0] = table;
    arguments[1] = relation.output();
    arguments[4] = CaseInsensitiveStringMap.empty();
    try {
      return (LogicalPlan) constructor.newInstance(arguments);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("This Spark's DataSourceV2Relation is not known", e);
    }
  }
}
