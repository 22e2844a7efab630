package io.mooring.pushdown;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Predicates, divided between the scan and Spark.
 *
 * @param condition the predicates that the scan evaluates, joined by AND; null for none
 * @param residual what Spark evaluates behind the scan
 */
public record PushedFilter(@Nullable Expr condition, List<Predicate> residual) {
  public static final PushedFilter NONE = new PushedFilter(null, List.of());

  /** Divides predicates that must all be true. */
  public static PushedFilter of(Predicate[] predicates, StructType schema) {
    ExprTranslator translator = new ExprTranslator(schema);
    List<Predicate> residual = new ArrayList<>();
    Expr condition = null;
    for (Predicate predicate : predicates) {
      Expr expr = translator.translate(predicate);
      if (expr == null) {
        residual.add(predicate);
      } else {
        condition = condition == null ? expr : new Logical(Logical.Operator.AND, condition, expr);
      }
    }
    return new PushedFilter(condition, List.copyOf(residual));
  }
}
