package io.mooring.scan.prune;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.filter.And;
import org.apache.spark.sql.connector.expressions.filter.Not;
import org.apache.spark.sql.connector.expressions.filter.Or;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.sources.EqualTo;
import org.apache.spark.sql.sources.In;
import org.junit.jupiter.api.Test;

class V1FiltersTest {
  private static final Predicate PLAIN =
      new Predicate("=", new Expression[] {Expressions.column("a"), Expressions.literal(1)});
  private static final Predicate TWO_COLUMNS =
      new Predicate("=", new Expression[] {Expressions.column("a"), Expressions.column("b")});
  private static final EqualTo CONVERTED = new EqualTo("a", 1);

  @Test
  void whatIsWholeIsConverted() {
    assertThat(V1Filters.of(PLAIN)).contains(CONVERTED);
    assertThat(V1Filters.of(TWO_COLUMNS)).isEmpty();
    assertThat(V1Filters.of(new Or(PLAIN, new Not(PLAIN))))
        .contains(
            new org.apache.spark.sql.sources.Or(
                CONVERTED, new org.apache.spark.sql.sources.Not(CONVERTED)));
  }

  @Test
  void aValueThatNoIntHoldsComesFirst() {
    Predicate in =
        new Predicate(
            "IN",
            new Expression[] {
              Expressions.column("a"),
              Expressions.literal(1L),
              Expressions.literal(5_000_000_000L),
              Expressions.literal(2L)
            });
    assertThat(V1Filters.of(new Not(in)))
        .contains(
            new org.apache.spark.sql.sources.Not(
                new In("a", new Object[] {5_000_000_000L, 1L, 2L})));
  }

  @Test
  void halfAnOrIsNotTakenForTheWhole() {
    assertThat(V1Filters.of(new Or(PLAIN, TWO_COLUMNS))).isEmpty();
    assertThat(V1Filters.of(new Or(TWO_COLUMNS, PLAIN))).isEmpty();
    assertThat(V1Filters.of(new Not(new And(PLAIN, TWO_COLUMNS)))).isEmpty();
  }

  @Test
  void halfAnAndIsTrueWhereTheWholeIs() {
    assertThat(V1Filters.of(new And(TWO_COLUMNS, PLAIN))).contains(CONVERTED);
    assertThat(V1Filters.of(new Or(new And(PLAIN, TWO_COLUMNS), PLAIN)))
        .contains(new org.apache.spark.sql.sources.Or(CONVERTED, CONVERTED));
  }
}
