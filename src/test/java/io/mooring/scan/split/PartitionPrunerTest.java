package io.mooring.scan.split;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.LiteralValue;
import org.apache.spark.sql.connector.expressions.filter.And;
import org.apache.spark.sql.connector.expressions.filter.Not;
import org.apache.spark.sql.connector.expressions.filter.Or;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PartitionPrunerTest {
  private static final StructType SCHEMA =
      new StructType().add("p", DataTypes.IntegerType).add("q", DataTypes.StringType);
  private static final Predicate UNDECIDED = compare("=", "data", 1);

  private static boolean mayMatch(Predicate predicate, Object p, String q) {
    InternalRow row =
        new GenericInternalRow(new Object[] {p, q == null ? null : UTF8String.fromString(q)});
    return new PartitionPruner(List.of(predicate), SCHEMA).mayMatch(row);
  }

  private static Expression number(Object value) {
    return new LiteralValue<>(value, DataTypes.IntegerType);
  }

  private static Predicate compare(String operator, String column, Object value) {
    return new Predicate(operator, new Expression[] {Expressions.column(column), number(value)});
  }

  private static Predicate p(String operator, Object value) {
    return compare(operator, "p", value);
  }

  @ParameterizedTest
  @CsvSource({
    "=,3,true",
    "=,4,false",
    "<>,3,false",
    "<>,4,true",
    "<,3,false",
    "<,4,true",
    "<=,3,true",
    "<=,2,false",
    ">,3,false",
    ">,2,true",
    ">=,3,true",
    ">=,4,false"
  })
  void comparisonsDecide(String operator, int literal, boolean expected) {
    assertThat(mayMatch(p(operator, literal), 3, "x")).isEqualTo(expected);
  }

  @Test
  void comparisonsWithNullMatchNothing() {
    assertThat(mayMatch(p("=", 3), null, "x")).isFalse();
    assertThat(mayMatch(p("=", null), 3, "x")).isFalse();
    assertThat(mayMatch(new Not(p("=", 3)), null, "x")).isFalse();
  }

  @Test
  void nullTestsDecide() {
    Predicate isNull = new Predicate("IS_NULL", new Expression[] {Expressions.column("q")});
    assertThat(mayMatch(isNull, 1, null)).isTrue();
    assertThat(mayMatch(isNull, 1, "x")).isFalse();
    assertThat(mayMatch(new Not(isNull), 1, "x")).isTrue();
  }

  @Test
  void listsDecide() {
    Predicate in =
        new Predicate("IN", new Expression[] {Expressions.column("p"), number(1), number(null)});
    assertThat(mayMatch(in, 1, "x")).isTrue();
    assertThat(mayMatch(in, 2, "x")).isFalse();
    assertThat(mayMatch(new Not(in), 2, "x")).isFalse();
  }

  @Test
  void stringsCompareByTheirBytes() {
    Expression literal = new LiteralValue<>(UTF8String.fromString("b"), DataTypes.StringType);
    Predicate less = new Predicate("<", new Expression[] {Expressions.column("q"), literal});
    assertThat(mayMatch(less, 1, "a")).isTrue();
    assertThat(mayMatch(less, 1, "c")).isFalse();
  }

  @Test
  void whatDataDecidesKeepsTheDirectory() {
    assertThat(mayMatch(UNDECIDED, 1, "x")).isTrue();
    assertThat(mayMatch(new Not(UNDECIDED), 1, "x")).isTrue();
    assertThat(mayMatch(new Predicate("UNHEARD_OF", new Expression[0]), 1, "x")).isTrue();
  }

  @Test
  void undecidedPartsDoNotHideDecidedOnes() {
    assertThat(mayMatch(new And(UNDECIDED, p("=", 4)), 3, "x")).isFalse();
    assertThat(mayMatch(new And(UNDECIDED, p("=", 3)), 3, "x")).isTrue();
    assertThat(mayMatch(new Or(UNDECIDED, p("=", 4)), 3, "x")).isTrue();
    assertThat(mayMatch(new Not(new Or(UNDECIDED, p("=", 3))), 3, "x")).isFalse();
    assertThat(mayMatch(new Or(UNDECIDED, p("=", null)), 3, "x")).isTrue();
  }

  @Test
  void aLiteralOfAnotherTypeDoesNotDecide() {
    Expression literal = new LiteralValue<>(4L, DataTypes.LongType);
    Predicate equal = new Predicate("=", new Expression[] {Expressions.column("p"), literal});
    assertThat(mayMatch(equal, 3, "x")).isTrue();
  }
}
