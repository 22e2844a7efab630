package io.mooring.scan.prune;

import java.util.Optional;
import org.apache.spark.sql.connector.expressions.filter.And;
import org.apache.spark.sql.connector.expressions.filter.Not;
import org.apache.spark.sql.connector.expressions.filter.Or;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.internal.connector.PredicateUtils;
import org.apache.spark.sql.sources.Filter;
import scala.jdk.javaapi.OptionConverters;

/**
 * What pushed predicates mean as the filters of Spark's first data source API. Spark's own
 * translation is for single comparisons only: of an {@code OR} it keeps the one side that has a
 * filter and so loses rows.
 */
final class V1Filters {
  private V1Filters() {}

  /** A filter that is true wherever the predicate is, if there is one. */
  static Optional<Filter> of(Predicate predicate) {
    return translate(predicate, true);
  }

  /**
   * @param weaker whether the filter may be true where the predicate is not
   */
  private static Optional<Filter> translate(Predicate predicate, boolean weaker) {
    if (predicate instanceof And and) {
      Optional<Filter> left = translate(and.left(), weaker);
      Optional<Filter> right = translate(and.right(), weaker);
      Optional<Filter> both = joined(left, right);
      return both.isPresent() || !weaker ? both : left.or(() -> right);
    } else if (predicate instanceof Or or) {
      Optional<Filter> left = translate(or.left(), weaker);
      return left.flatMap(
          l -> translate(or.right(), weaker).map(r -> new org.apache.spark.sql.sources.Or(l, r)));
    } else if (predicate instanceof Not not) {
      return translate(not.child(), false).map(org.apache.spark.sql.sources.Not::new);
    }
    return OptionConverters.toJava(PredicateUtils.toV1(predicate)).flatMap(SignedZeroRewrite::of);
  }

  private static Optional<Filter> joined(Optional<Filter> left, Optional<Filter> right) {
    return left.flatMap(l -> right.map(r -> new org.apache.spark.sql.sources.And(l, r)));
  }
}
