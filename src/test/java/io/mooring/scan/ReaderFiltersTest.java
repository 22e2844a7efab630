package io.mooring.scan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.filter.And;
import org.apache.spark.sql.connector.expressions.filter.Not;
import org.apache.spark.sql.connector.expressions.filter.Or;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.sources.EqualTo;
import org.junit.jupiter.api.Test;

class ReaderFiltersTest {
  private static final Predicate PLAIN =
      new Predicate("=", new Expression[] {Expressions.column("a"), Expressions.literal(1)});
  private static final Predicate TWO_COLUMNS =
      new Predicate("=", new Expression[] {Expressions.column("a"), Expressions.column("b")});

  @Test
  void whatIsWholeIsConverted() {
    assertThat(ReaderFilters.of(List.of(PLAIN, TWO_COLUMNS))).containsExactly(new EqualTo("a", 1));
    assertThat(ReaderFilters.of(List.of(new Or(PLAIN, new Not(PLAIN)), new And(PLAIN, PLAIN))))
        .hasSize(2);
  }

  @Test
  void halfAnOrIsNotTakenForTheWhole() {
    assertThat(ReaderFilters.of(List.of(new Or(PLAIN, TWO_COLUMNS)))).isEmpty();
    assertThat(ReaderFilters.of(List.of(new Or(TWO_COLUMNS, PLAIN)))).isEmpty();
    assertThat(ReaderFilters.of(List.of(new Not(new And(PLAIN, TWO_COLUMNS))))).isEmpty();
    assertThat(ReaderFilters.of(List.of(new Or(new And(PLAIN, TWO_COLUMNS), PLAIN)))).isEmpty();
  }
}
