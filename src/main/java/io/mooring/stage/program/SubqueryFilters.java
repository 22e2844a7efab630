package io.mooring.stage.program;

import io.mooring.catalyst.FailingConstants;
import io.mooring.catalyst.TreeNodes;
import io.mooring.catalyst.TreePatterns;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.util.DateTimeConstants;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Strategy$;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.TimestampType;
import scala.jdk.javaapi.OptionConverters;

/**
 * Conditions on columns of a scan whose scalar sub-queries have run, as predicates that row groups
 * and pages are pruned by: {@code ts > (SELECT max(ts) FROM loaded)}. Spark's own file scans prune
 * row groups by them from version 4.0 on.
 */
public final class SubqueryFilters {
  private static final boolean SPARK_PRUNES =
      !org.apache.spark.package$.MODULE$.SPARK_VERSION().startsWith("3.");

  private static final int FIRST_DAY = (int) LocalDate.of(1900, 1, 1).toEpochDay();

  private SubqueryFilters() {}

  /**
   * Predicates on columns of the scan that every row passes which leaves a chain.
   *
   * @param program the chain's
   * @param ofSpark whether Spark's own file scan would read the files: it loses the errors that
   *     other conditions raise on rows of pruned row groups, which any other scan keeps
   */
  public static List<Predicate> of(StageChain chain, StageProgram program, boolean ofSpark) {
    List<Predicate> found = new ArrayList<>();
    List<SparkPlan> operators = chain.operators();
    for (int i = 0; i < operators.size() && operators.get(i) instanceof FilterExec filter; i++) {
      boolean raises = ((RowOperator.Filter) program.operators().get(i)).condition().canRaise();
      if (raises && !(ofSpark && SPARK_PRUNES)) {
        break;
      }
      for (Expression condition : TreeNodes.conjuncts(filter.condition())) {
        if (TreePatterns.mayHoldSubquery(condition)) {
          predicate(condition, raises).ifPresent(found::add);
        }
      }
    }
    return found;
  }

  /**
   * @param asSpark whether to translate only what Spark does: results that are compared themselves
   */
  private static Optional<Predicate> predicate(Expression condition, boolean asSpark) {
    Expression known = SubqueryResults.KNOWN.in(condition);
    boolean computed = asSpark && !known.equals(SubqueryResults.KNOWN.alone(condition));
    return computed
            || known.exists(part -> part instanceof Literal literal && !isComparable(literal))
            || FailingConstants.areIn(known)
        ? Optional.empty()
        : translated(known);
  }

  /**
   * Not null, with which no operator of Spark's filters compares, and no day or time before 1900:
   * Spark converts them to the calendar of that time, which has no days from 5 to 14 October 1582.
   */
  private static boolean isComparable(Literal literal) {
    Object value = literal.value();
    if (value != null && literal.dataType() instanceof DateType) {
      return (Integer) value >= FIRST_DAY;
    } else if (value != null && literal.dataType() instanceof TimestampType) {
      return (Long) value >= FIRST_DAY * DateTimeConstants.MICROS_PER_DAY;
    }
    return value != null;
  }

  /** Spark asserts that what it can translate is a predicate, which a cast to boolean is not. */
  private static Optional<Predicate> translated(Expression condition) {
    try {
      return OptionConverters.toJava(DataSourceV2Strategy$.MODULE$.translateFilterV2(condition));
    } catch (AssertionError | StackOverflowError e) {
      return Optional.empty();
    }
  }
}
