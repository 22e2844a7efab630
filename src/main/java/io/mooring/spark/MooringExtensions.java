package io.mooring.spark;

import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.SparkSessionExtensions;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/**
 * What a session gets: the strategy that plans Parquet relations through Mooring, and the rule that
 * has sub-queries read one of them once.
 */
public final class MooringExtensions extends AbstractFunction1<SparkSessionExtensions, BoxedUnit> {
  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    extensions.injectPlannerStrategy(
        new AbstractFunction1<>() {
          @Override
          public MooringStrategy apply(SparkSession session) {
            return new MooringStrategy(session);
          }
        });
    extensions.injectPreCBORule(
        new AbstractFunction1<>() {
          @Override
          public MergeSubqueries apply(SparkSession session) {
            return new MergeSubqueries(session);
          }
        });
    return BoxedUnit.UNIT;
  }
}
