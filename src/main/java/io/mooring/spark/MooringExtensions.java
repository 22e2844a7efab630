package io.mooring.spark;

import org.apache.spark.sql.SparkSessionExtensions;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/** What a session gets: the rule that puts Mooring's table in the place of Spark's relation. */
public final class MooringExtensions extends AbstractFunction1<SparkSessionExtensions, BoxedUnit> {
  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    extensions.injectPostHocResolutionRule(
        new AbstractFunction1<>() {
          @Override
          public SwapRelation apply(org.apache.spark.sql.SparkSession session) {
            return new SwapRelation();
          }
        });
    return BoxedUnit.UNIT;
  }
}
